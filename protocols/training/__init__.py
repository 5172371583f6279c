"""Rows that trainers read: prompts for reinforcement learning, and targets for imitation."""

from protocols.training.rows import TRAINERS, Training, storage_for
from protocols.training.targets import TARGETS

__all__ = ["TARGETS", "TRAINERS", "Training", "storage_for"]
