"""Datasets in shards: files of many rows with their pictures, as trainers read them."""
