# SPDX-License-Identifier: MIT
"""Published data: each function takes the folder of the data and a folder to write to, and gives the arguments of the
command that name the data. The files are ../shared/data, or what ALO_DATA names; what is not there raises
FileNotFoundError."""

import csv
import gzip


def present(path):
    if not path.exists():
        raise FileNotFoundError(path)
    return str(path)


def file(name, *options):
    return lambda data, folder: [present(data / name), *options]


def written(folder, lines):
    path = folder / "data.csv"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def lines_of(path):
    present(path)
    with (gzip.open(path, "rt") if path.suffix == ".gz" else path.open()) as text:
        return text.read().splitlines()


def table_of(path):
    present(path)
    with path.open(newline="") as text:
        return list(csv.DictReader(text))


def every(lines, count):
    """`count` of the lines, equally far apart."""
    return [lines[k * len(lines) // count] for k in range(count)]


def thinned(name, count, *options, header=True):
    """Rows of a file, equally far apart."""

    def read(data, folder):
        lines = lines_of(data / name)
        head, rows = (lines[:1], lines[1:]) if header else ([], lines)
        return [written(folder, head + every(rows, count)), *options]

    return read


def first(name, count, *options):
    """The first rows of a file with a header."""

    def read(data, folder):
        return [written(folder, lines_of(data / name)[: count + 1]), *options]

    return read


DIABETES = file("diabetes/diabetes.tab.txt", "--format", "tsv")
HITTERS = file("hitters/Hitters.csv", "--target", "Salary", "--drop", "rownames", "--missing", "drop-rows")
HEART_DISEASE = file("saheart/SAheart.data", "--format", "csv", "--drop", "row.names")
HEART = file("heart_scale/heart_scale", "--format", "libsvm")
COLON = file("colon/colon.csv", "--target", "tumor")
LEUKAEMIA = file("leukemia/golub.csv.gz", "--drop", "sample,set", "--target", "aml")
BREAST_CANCER = file("breast_cancer/breast_cancer.csv", "--skip", "1")
NILE = file("nile/nile.csv", "--target", "flow", "--design", "identity")
DISCOVERIES = file("discoveries/discoveries.csv", "--target", "count", "--design", "identity")
COPY_NUMBER = first("cgh_gbm/gbm.csv", 200, "--target", "log2ratio", "--design", "identity")
STOCKS = thinned("snp500/snp500.txt", 200, "--format", "csv", "--design", "identity", header=False)
ALL_FOURS_AND_NINES = file("mnist49/mnist_t10k_4v9.csv.gz", "--target", "y")
FOURS_AND_NINES = thinned("mnist49/mnist_t10k_4v9.csv.gz", 200, "--target", "y")
DOCTORS = thinned("randhie/randhie.csv", 300, "--target", "mdvis")


def diabetes_quadratic(data, folder):
    """The ten columns, the squares of all but sex, and the 45 products: 64 columns. groups.txt has for each column the
    number of its first variable."""
    header, *rows = [line.split("\t") for line in lines_of(data / "diabetes/diabetes.tab.txt")]
    names = header[:10]
    pairs = [(j, k) for j in range(10) for k in range(j, 10) if (j, k) != (1, 1)]
    lines = [",".join(names + [f"{names[j]}*{names[k]}" for j, k in pairs] + ["Y"])]
    for row in rows:
        x = [float(value) for value in row[:10]]
        lines.append(",".join([*row[:10], *(repr(x[j] * x[k]) for j, k in pairs), row[10]]))
    (folder / "groups.txt").write_text("\n".join(str(j + 1) for j in [*range(10), *(j for j, _ in pairs)]) + "\n")
    return [written(folder, lines), "--target", "Y"]


def prostate(data, folder):
    """All 97 men; blanks become commas."""
    header, *rows = [line.split() for line in lines_of(data / "prostate/prostate.data")]
    return [written(folder, [",".join(header[1:-1]), *(",".join(row[1:-1]) for row in rows)]), "--target", "lpsa"]


def longley(data, folder):
    """Sixteen years, six columns that are nearly collinear."""
    rows = [line.split() for line in lines_of(data / "nist_strd/Longley.dat")[60:76]]
    return [written(folder, ["y,x1,x2,x3,x4,x5,x6", *(",".join(row) for row in rows)]), "--target", "y"]


def filip(data, folder):
    """A polynomial of degree ten: powers of x."""
    rows = [line.split() for line in lines_of(data / "nist_strd/Filip.dat")[60:142]]
    lines = [",".join(["y", *(f"x{k}" for k in range(1, 11))])]
    lines += [",".join([y, *(repr(float(x) ** k) for k in range(1, 11))]) for y, x in rows]
    return [written(folder, lines), "--target", "y"]


def warpbreaks(data, folder):
    """Wool, tension and their products as indicators."""
    lines = ["wool,low,medium,wool_low,wool_medium,breaks"]
    for row in table_of(data / "warpbreaks/warpbreaks.csv"):
        wool, low, medium = (int(row["wool"] == "A"), int(row["tension"] == "L"), int(row["tension"] == "M"))
        lines.append(f"{wool},{low},{medium},{wool * low},{wool * medium},{row['breaks']}")
    return [written(folder, lines), "--target", "breaks"]


def digits(count, classes="0123456789"):
    def read(data, folder):
        lines = [line for line in lines_of(data / "digits/digits.csv.gz") if line.split(",")[-1] in classes]
        names = {digit: f"d{digit}" for digit in classes}  # words, so that several of them are classes
        rows = [line.rsplit(",", 1) for line in every(lines, count)]
        header = ",".join([*(f"x{k}" for k in range(64)), "digit"])
        return [written(folder, [header, *(f"{pixels},{names[digit]}" for pixels, digit in rows)]), "--target", "digit"]

    return read


def bike(count):
    """Hours of rentals; the hour and the weather are words, hence indicators, and the parts of the count left out."""

    def read(data, folder):
        lines = ["season,year,hour,holiday,workingday,weather,temp,hum,windspeed,cnt"]
        for row in every(table_of(data / "bike/hour.csv"), count):
            lines.append(",".join([f"s{row['season']}", row["yr"], f"h{int(row['hr']) // 2}", row["holiday"],
                                   row["workingday"], f"w{row['weathersit']}", row["temp"], row["hum"],
                                   row["windspeed"], row["cnt"]]))
        return [written(folder, lines), "--target", "cnt"]

    return read


def coriell(data, folder):
    """Chromosomes 9 to 11 of the first cell line: a gain and a loss."""
    rows = [row["gm05296"] for row in table_of(data / "coriell/coriell.csv")
            if row["chromosome"] in ("9", "10", "11") and row["gm05296"] != "NA"]
    return [written(folder, ["gm05296", *rows]), "--design", "identity"]


def volcano(share):
    """Heights on every sixth place of the grid in hundreds of metres, less their mean; of 15 × 11 heights, two of
    three or all are known."""

    def read(data, folder):
        rows = [[float(value) / 100 for value in line.split(",")][::6] for line in
                lines_of(data / "volcano/volcano.csv")[::6]]
        mean = sum(map(sum, rows)) / sum(map(len, rows))
        lines = ["row,column,value"]
        lines += [f"{i + 1},{j + 1},{value - mean:.6g}" for i, row in enumerate(rows) for j, value in enumerate(row)
                  if (2 * i + 3 * j) % 6 < 6 * share]
        return [written(folder, lines), "--design", "triplets"]

    return read
