"""The settings file of a guide: adding, removing and finding the models that it lists."""
