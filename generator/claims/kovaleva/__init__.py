"""Claims of Kovaleva et al. 2019, and of Michel et al. 2019 on disabling."""
