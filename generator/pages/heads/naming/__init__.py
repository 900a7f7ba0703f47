"""What may name a head that finds nothing and has no main target: a pattern of its maps, or what disabling it costs."""
