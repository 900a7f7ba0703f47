"""Heads that choose the start and the end of an answer independently, trained on passages whose pronouns are linked."""
