# refused: potluck.Simulation
import random

wins = 0
for _ in range(1000):
    wins += random.random() < 0.5
print(wins / 1000)
