"""The step server: an application of routes around a Service, and who may ask it what."""
