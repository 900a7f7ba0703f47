"""Whether the layers of a model fall into three phases: its page, and what hand-written pages say of it."""
