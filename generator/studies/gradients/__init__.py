"""What the masked-LM loss and the output depend on."""
