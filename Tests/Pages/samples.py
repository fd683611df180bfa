"""Pictures as a gateway sends them, for checks of what the page shows."""
import math
import random


def reading(name, value, half, exact=None, kind="proportion", text="", **more):
    interval = (value - half, value + half) if half is not None else (None, None)
    return {"name": name, "kind": kind, "value": value, "low": interval[0], "high": interval[1], "exact": exact,
            "text": text, "note": None, "bins": None, "cells": None, "curve": None} | more


def job(**changes):
    """Monty Hall in the middle of a run, by laptops and browsers."""
    picture = {
        "is": "job", "job": "a1", "simulation": "monty-hall",
        "summary": "Behind one door is a car: is it better to stay or to switch?", "submitter": "teacher",
        "parameters": [{"name": "doors", "value": "3", "isDefault": True}, {"name": "opened", "value": "1", "isDefault": True}],
        "state": "running", "detail": None, "trials": "734003200", "goal": "2 000 000 000 trials", "fraction": 0.367,
        "elapsed": 21.4, "left": 36.9, "rate": 34300000.0,
        "readings": [reading("stay", 0.333321, 0.0000341, 1 / 3, text="0.333321"),
                     reading("switch", 0.666679, 0.0000341, 2 / 3, text="0.666679")],
        "nodes": [
            {"name": "teacher", "cores": 8, "share": 0.48, "rate": 16.4e6, "state": "computing", "kind": "laptop", "recomputed": None},
            {"name": "ana", "cores": 4, "share": 0.27, "rate": 9.3e6, "state": "computing", "kind": "laptop", "recomputed": None},
            {"name": "blue heron", "cores": 3, "share": 0.14, "rate": 4.9e6, "state": "computing", "kind": "browser", "recomputed": 0.1},
            {"name": "Mia's phone", "cores": 1, "share": 0.08, "rate": 2.9e6, "state": "computing", "kind": "browser", "recomputed": 0.11},
            {"name": "the-laptop-with-the-very-long-name-of-the-room-next-door", "cores": 2, "share": 0.03, "rate": 0.8e6,
             "state": "lost", "kind": "laptop", "recomputed": None}],
        "isSearch": False, "best": None, "digest": None, "seed": None, "counts": [], "repeat": None, "hidesExact": False, "browsers": "22 % by browsers, a tenth of it recomputed"}
    return picture | changes


def waiting(**changes):
    """The same before it begins, with hidden answers: people may guess."""
    none = [reading(name, None, None, text="no value yet") for name in ("stay", "switch")]
    return job(**{"state": "paused", "trials": "0", "fraction": 0, "elapsed": 0, "left": None, "rate": None, "readings": none, "nodes": [],
                  "browsers": None, "hidesExact": True} | changes)


def course(picture, seed=1, most=None):
    """Points of the readings at the checkpoints up to now: they wander into their intervals."""
    dice = random.Random(seed)
    points, total = [], most or int(picture["trials"])
    trials = 65536 * 16
    while trials < total:
        values = []
        for one in picture["readings"]:
            if one["value"] is None or one["low"] is None:
                values.append(None)
                continue
            half = (one["high"] - one["low"]) / 2 * math.sqrt(total / trials)
            middle = one["value"] + dice.gauss(0, half / 2.2)
            values.append([middle, middle - half, middle + half])
        points.append({"trials": str(trials), "elapsed": 21.4 * trials / total, "values": values})
        trials = math.ceil(trials * 2 ** 0.25)
    return {"is": "course", "job": picture["job"], "from": 0, "points": points}


def collector():
    """Coupons, with a histogram, parameters of its own and readings of three kinds; it is done."""
    counts = [0, 0, 0, 11, 777, 5677, 13738, 18897, 18148, 14461, 10238, 6707, 4496, 2694, 1640, 1023, 603, 344, 216, 128,
              75, 46, 39, 11, 8, 10, 4, 4, 4, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]
    return job(
        job="b2", simulation="coupon-collector", summary="How many packets until you have all the pictures of an album?",
        parameters=[{"name": "kinds", "value": "50", "isDefault": False}], state="done", detail="done: all trials",
        trials="100000", goal="100 000 trials", fraction=1, left=None, rate=None, elapsed=0.05,
        digest="60b2ca84d088e9be211a926022bd3a9f1707ff1aae767d969a12d011070ea75d", seed="18446744073709551615", counts=[["albums", "100000"]],
        repeat="potluck run coupon-collector -p kinds=50 --trials 100000 --seed 18446744073709551615",
        readings=[
            reading("packets", 224.81659, 0.38, 224.96026691647117, "mean", "224.82"),
            reading("variance", 3809.4679854517544, None, 3837.87, "variance", "3809.47"),
            reading("packets per kind", None, None, None, "histogram", "", bins={
                "low": 0, "high": 20, "counts": [str(count) for count in counts]}),
            reading("before the tenth", 0.25, 0.003, None, "category", "0.2500"),
            reading("packets by then", None, None, None, "series", "", curve=[
                [0, 1, None, None], [1, 2.02, 2.01, 2.03], [2, 3.06, 3.04, 3.08], [4, 5.2, 5.1, 5.3]]),
            reading("first and last", None, None, None, "histogram2D", "", cells={
                "x": [-1, 1], "y": [0, 30], "outside": "1234", "rows": [["5", "0", "80"], ["0", "40", "160"]]})])


def search(part=0.31):
    """A tour of cities, half searched."""
    dice = random.Random(7)
    cities = [[dice.uniform(0, 100), dice.uniform(0, 60)] for _ in range(24)]
    centre = [sum(city[place] for city in cities) / len(cities) for place in (0, 1)]
    cities.sort(key=lambda city: math.atan2(city[1] - centre[1], city[0] - centre[0]))
    return job(
        job="c3", simulation="tsp", summary="The shortest tour through all the cities", trials=str(int(2**52 * part)),
        parameters=[{"name": "cities", "value": "24", "isDefault": False}], goal="until the best is proven", fraction=part,
        left=None, rate=None, isSearch=True, browsers=None,
        readings=[reading("length", 337.2, None, None, "derived", "337.2")],
        best={"text": "0 5 7 3", "points": [*cities, cities[0]]})


def search_course():
    lengths = [512.0, 480.3, 421.7, 399.0, 371.5, 350.2, 341.9, 337.2]
    return {"is": "course", "job": "c3", "from": 0, "points": [
        {"trials": str(place), "elapsed": 0.3 * 1.7 ** place, "values": [[length, None, None]]}
        for place, length in enumerate(lengths)]}


def members():
    """A classroom."""
    names = [("teacher", 8, "laptop"), ("ana", 4, "laptop"), ("blue heron", 3, "browser"), ("Mia's phone", 1, "browser"),
             ("ben", 4, "laptop"), ("golden wren", 0, "viewer"), ("projector", 0, "viewer")]
    everybody = [{"name": name, "cores": cores, "kind": kind, "state": "here", "isYou": name == "golden wren"}
                 for name, cores, kind in names]
    everybody[4]["state"] = "lost"
    return {"is": "session", "members": everybody, "waiting": ["lost contact with ben; waiting for it to reconnect"]}


def news():
    return [{"is": "news", "text": "Guess first: stay or switch?", "by": "teacher"},
            {"is": "news", "text": "ana joined with 4 cores", "by": None},
            {"is": "news", "text": "We think two thirds!", "by": "ana"}]


def heat(**changes):
    """A program with eight ranks on three laptops."""
    program = {
        "name": "heat", "launcher": "ana", "state": "running", "detail": None,
        "facts": ["8 ranks on 3 laptops", "1 234 messages", "56 MB", "12 s"],
        "laptops": [
            {"name": "ana", "facts": "2 compute, 1 waits, 21 MB sent", "wait": None,
             "ranks": [[0, "computes"], [1, "computes"], [2, "waits"]]},
            {"name": "ben", "facts": "2 compute, 1 waits, 20 MB sent", "wait": "rank 3 waits for rank 1, 2.1 s",
             "ranks": [[3, "waits"], [4, "computes"], [5, "computes"]]},
            {"name": "the-laptop-with-the-very-long-name-of-the-room-next-door", "facts": "1 computes, 1 has ended, 15 MB sent",
             "wait": None, "ranks": [[6, "computes"], [7, "ended"]]}],
        "more": 0}
    return program | changes


def programs(*list):
    """The programs in sight, the latest first."""
    return {"is": "programs", "programs": [*list]}


def newcomers(*names):
    """Who waits for the host's approval."""
    names = names or ("dora", "emil")
    return {"is": "newcomers", "nodes": [{"node": f"{place:032x}", "name": name} for place, name in enumerate(names, 1)]}


def gallery():
    """Simulations with every kind of parameter, as `potluck simulations --json` has them."""
    def simulation(name, summary, *parameters, ends=False):
        return {"is": "simulation", "key": name, "simulation": {"name": name, "summary": summary, "ends": ends, "parameters": list(parameters)}}

    return [
        simulation("monty-hall", "Behind one door is a car: is it better to stay or to switch?",
                   {"name": "doors", "help": "doors to choose from", "kind": "integer", "minimum": 3, "maximum": 100, "default": 3}),
        simulation("tsp", "What is the shortest round trip?",
                   {"name": "draw", "help": "draw the cities with this seed", "kind": "integer", "minimum": 0, "maximum": 1000000000, "default": 1},
                   {"name": "bound", "help": "how to bound a trip", "kind": "choice", "choices": ["one-tree", "degree"], "default": "one-tree"},
                   {"name": "airports", "help": "the cities", "kind": "several", "choices": ["AMS", "BCN", "CPH"], "minimum": 0, "maximum": 3, "default": []},
                   ends=True),
        simulation("percolation", "Does water get through?",
                   {"name": "p", "help": "chance of an open site", "kind": "real", "minimum": 0, "maximum": 1, "default": 0.6},
                   {"name": "list", "help": "list all sites", "kind": "flag", "default": False}),
    ]
