"""A sentence of the reader's own: the model itself on the site, and what its heads do with what is typed."""

from generator.topics.topic import Extra, Topic

TOPIC = Topic(
    package=__name__,
    extras={"live": Extra("compute.extra.make")},
    pages=("page.model",),
    heads=("page.head",),
    home=("page.home",),
    assets=("page.scripts",),
)
