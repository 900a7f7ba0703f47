"""What pages say of layers: their curves, three phases, five patterns."""
