# SPDX-License-Identifier: MIT
"""What a run of the default command is worth, judged by exact leave-one-out: regret of the choice, error of the
reported number, whether the verdict is right, and cost."""

import math
from dataclasses import asdict, dataclass

import command
import curves

# The number is right within this share of the exact risk, or within this share of its standard error.
RIGHT, RIGHT_ERRORS = 0.02, 0.25
# It is badly wrong beyond this share, whatever the standard error; a green verdict over it is the worst that can happen.
BADLY = 0.10
# Regret that nine of ten and more choices, and regret that all of them may have.
SMALL_REGRET, LARGEST_REGRET = 0.02, 0.05
# Risks near zero (classes that are told apart) are compared beside this share of the null model's risk.
FLOOR = 1e-2
# Cost: this many paths, or one path and this many seconds (2e10 operations), times the tolerance of a clock.
PATHS, SECONDS, CLOCK = 2.0, 0.5, 1.5
MEMORY = 2.0  # of the path
MEMORY_OF_THE_PROGRAM = 40  # megabytes that any run may take beside that, since the smallest take 10 to 20


@dataclass
class Judgement:
    name: str
    rows: int = 0
    columns: int = 0
    metric: str = ""
    chosen: float | None = None  # the lambda
    best: float | None = None
    chosen_by: str = ""
    kind: str = ""  # of the reported number
    reported: float | None = None
    exact: float | None = None  # exact leave-one-out at the choice
    exact_se: float | None = None
    null: float | None = None  # exact risk at the largest lambda of the kept curve
    smallest: float | None = None  # of the kept curve and of the run's own exact values
    regret: float = math.inf
    error: float = math.inf  # |reported - exact| / exact
    errors: float = math.inf  # |reported - exact| / standard error
    reliable: bool = False
    reasons: tuple = ()
    alo_regret: float = math.inf  # where ALO alone chooses
    exact_share: float = 0.0  # seconds of exact leave-one-out / seconds of the path and ALO
    seconds: float = 0.0  # user seconds of the command, and with ALO alone
    alo_seconds: float = 0.0
    megabytes: float = 0.0
    alo_megabytes: float = 0.0
    failure: str = ""

    @property
    def right(self):
        return self.error <= RIGHT or self.errors <= RIGHT_ERRORS

    @property
    def wrongly_green(self):
        return self.reliable and not self.right

    @property
    def badly_green(self):
        return self.reliable and not self.right and self.error > BADLY

    @property
    def wrongly_red(self):
        return not self.reliable and self.right and self.regret <= LARGEST_REGRET

    @property
    def dear(self):
        return self.seconds > CLOCK * max(PATHS * self.alo_seconds, self.alo_seconds + SECONDS)

    @property
    def large(self):
        return self.megabytes > MEMORY * self.alo_megabytes + MEMORY_OF_THE_PROGRAM

    @property
    def verdict(self):
        if self.failure:
            return "failed"
        if self.wrongly_green:
            return "green, number wrong"
        if self.reliable:
            return "green, regret" if self.regret > LARGEST_REGRET else "green"
        return "red, though right" if self.wrongly_red else "red"

    def as_dict(self):
        return {key: None if value == math.inf else value for key, value in asdict(self).items()}


def from_dict(values):
    infinite = ("regret", "error", "errors", "alo_regret")
    return Judgement(**{key: math.inf if value is None and key in infinite else value for key, value in values.items()})


def chosen_point(result):
    """The point of the path that was chosen, or None."""
    selection = result["selection"]
    if selection.get("lambda") is None:
        return None
    return min(result["path"], key=lambda point: abs(math.log(point["lambda"] / selection["lambda"])))


def proved(result, point):
    """Exact leave-one-out at the choice where the result has it with the choice alone, or None."""
    metric = result["problem"]["metric"]
    for name in ("min", "one_se"):
        chosen = result["selection"].get(name)
        if chosen and chosen["lambda"] == point["lambda"] and metric in (chosen.get("exact") or {}):
            return chosen["exact"][metric]
    return None


def reported(result, point):
    """(mean, kind) of what the run says of its choice: the estimate, or of a result without estimates exact
    leave-one-out where it is and ALO elsewhere."""
    risk = dict(point["risk"][result["problem"]["metric"]])
    if risk.get("estimate"):
        return risk["estimate"]["mean"], risk["estimate"]["kind"]
    risk["exact"] = risk.get("exact") or proved(result, point)
    for kind in ("exact", "alo"):
        if risk.get(kind) and risk[kind]["mean"] is not None:
            return risk[kind]["mean"], kind
    return None, "none"


def own_exact(result):
    """(lambda, mean, se) of the exact values of a run."""
    metric, found = result["problem"]["metric"], []
    for point in result["path"]:
        exact = point["risk"][metric].get("exact") or proved(result, point)
        if exact and exact["mean"] is not None:
            found.append((point["lambda"], exact["mean"], exact["se"]))
    return found


def exact_at_choice(oracle, arguments, own, point):
    """Exact leave-one-out at a point of the path: the run's own value if it is there, else what the oracle computes."""
    for value, mean, se in own:
        if value == point["lambda"]:
            return mean, se
    mean, se, _ = command.exact_at(oracle, arguments, point["lambda"])
    return mean, se


def null_risk(curve):
    """Exact risk at the largest lambda where it is defined."""
    return max(point for point in curve if point[1] is not None)[1]


def regret_of(mean, smallest, null):
    return (mean - smallest) / max(smallest, FLOOR * null)


def fastest(alo, arguments, repeats):
    """The run with the fewest user seconds; a run that takes longer than a second is not repeated."""
    runs = [command.run(alo, arguments)]
    while len(runs) < repeats and runs[0].user_seconds < 1:
        runs.append(command.run(alo, arguments))
    return min(runs, key=lambda run: run.user_seconds)


def judge_choice(judgement, oracle, arguments, result, curve, own):
    """Fills in the choice, its regret, the number and the verdict; `own` are the exact values of the run that count."""
    selection = result["selection"]
    judgement.rows = result["data"]["rows"]
    judgement.columns = len(result["data"]["columns"])
    judgement.metric = result["problem"]["metric"]
    judgement.reliable = result["verdict"]["reliable"]
    judgement.reasons = tuple(result["verdict"]["reasons"])
    judgement.chosen_by = selection.get("chosen_by") or "alo"
    point = chosen_point(result)
    judgement.null = null = null_risk(curve)
    judgement.best, judgement.smallest, _ = curves.best([*curve, *own])
    if point is None:
        return
    judgement.chosen = point["lambda"]
    judgement.reported, judgement.kind = reported(result, point)
    judgement.exact, judgement.exact_se = exact_at_choice(oracle, arguments, own, point)
    if judgement.exact is None:
        return
    judgement.smallest = min(judgement.smallest, judgement.exact)
    judgement.regret = regret_of(judgement.exact, judgement.smallest, null)
    if judgement.reported is not None:
        distance = abs(judgement.reported - judgement.exact)
        judgement.error = distance / max(judgement.exact, FLOOR * null)
        judgement.errors = distance / judgement.exact_se if judgement.exact_se else (math.inf if distance else 0.0)


def judge(alo, name, arguments, curve, repeats=1, with_alo=True, oracle=None):
    """The judgement of the default command on one problem; `arguments` name the data and the model, without lambda.
    Another command may be the oracle: then its exact values count, and those of the run itself do not. So an older
    version, with another definition of a held-out prediction, is judged by the definition of the curves."""
    judgement = Judgement(name)
    try:
        default = fastest(alo, ["tune", *arguments], repeats)
        timing = default.result["timing"]
        judgement.seconds, judgement.megabytes = default.user_seconds, default.megabytes
        path_seconds = timing["fit_s"] + timing["alo_s"]
        judgement.exact_share = timing["exact_s"] / path_seconds if path_seconds else 0.0
        own = [] if oracle else own_exact(default.result)
        oracle = oracle or alo
        judge_choice(judgement, oracle, arguments, default.result, curve, own)
        if with_alo:
            alone = fastest(alo, ["tune", *arguments, *command.of_alo_alone(alo)], repeats)
            judgement.alo_seconds, judgement.alo_megabytes = alone.user_seconds, alone.megabytes
            point = chosen_point(alone.result)
            if point is not None:
                mean = (judgement.exact if point["lambda"] == judgement.chosen
                        else exact_at_choice(oracle, arguments, own, point)[0])
                smallest = min(judgement.smallest, math.inf if mean is None else mean)
                judgement.alo_regret = math.inf if mean is None else regret_of(mean, smallest, judgement.null)
    except command.CommandFailed as failure:
        judgement.failure = str(failure)
    return judgement


def shares(judgements):
    """The bar of the library as numbers: what share of the problems keeps each part of it."""
    count = len(judgements)

    def share(predicate):
        return sum(bool(predicate(judgement)) for judgement in judgements) / count if count else 0.0

    return {
        "problems": count,
        "failed": sum(bool(judgement.failure) for judgement in judgements),
        "regret at most 2 %": share(lambda j: j.regret <= SMALL_REGRET),
        "regret above 5 %": share(lambda j: j.regret > LARGEST_REGRET),
        "largest regret": max((j.regret for j in judgements), default=0.0),
        "number right": share(lambda j: j.right),
        "reliable": share(lambda j: j.reliable),
        "reliable, number wrong": share(lambda j: j.wrongly_green),
        "reliable, more than 10 % off": share(lambda j: j.badly_green),
        "reliable, regret above 5 %": share(lambda j: j.reliable and j.regret > LARGEST_REGRET),
        "not reliable, though right": share(lambda j: j.wrongly_red),
        "beyond the budget of time": share(lambda j: j.dear),
        "beyond the budget of memory": share(lambda j: j.large),
        "ALO alone: regret above 5 %": share(lambda j: j.alo_regret > LARGEST_REGRET),
    }
