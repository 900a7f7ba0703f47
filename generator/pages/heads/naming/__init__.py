"""What may name a head without a find or a main target: a pattern of its maps, a window, or what disabling it costs."""
