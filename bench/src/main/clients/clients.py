"""bin/bench clients: the suites of other projects' clients against a server of this checkout.

Prepares each client in dist/client-suites with the ordinary client of its package registry, starts a server, runs the suites
one after another over both transports and prints a table. A suite that cannot be prepared is listed as left out, with the
reason.
"""

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree

HOME = pathlib.Path(os.environ["SKEP_HOME"])
SOURCES = HOME / "bench/src/main/clients"
PLACE = HOME / "dist/client-suites"
IMPYLA_RELEASE = "0.24.0"
GOHIVE_RELEASE = "v1.8.1"
HIVE_DRIVER_RELEASE = "1.0.0"
DBT_HIVE_RELEASE = "1.10.0"

# The suite of PyHive calls reflect, which a server refuses by default; several suites write 0 into a timestamp.
SITE = {
    "hive.server2.builtin.udf.blacklist": "in_file",
    "hive.strict.timestamp.conversion": "false",
}


class LeftOut(Exception):
    """A suite that cannot be prepared here."""


def run(*command, cwd=None, env=None, log=None, seconds=900):
    """Runs a command and returns its exit code and output, which also goes into a log."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            errors="replace",
            timeout=seconds,
        )
        code, output = done.returncode, done.stdout
    except subprocess.TimeoutExpired as e:
        output = e.stdout.decode(errors="replace") if isinstance(e.stdout, bytes) else e.stdout or ""
        code, output = -1, output + f"\nended after {seconds} s\n"
    except FileNotFoundError:
        raise LeftOut(f"there is no command {command[0]}") from None
    if log:
        log.write_text(output)
    return code, output


def prepare(what, *command, cwd=None):
    code, output = run(*command, cwd=cwd, log=PLACE / f"prepare-{what}.log")
    if code != 0:
        last = next((line for line in reversed(output.splitlines()) if line.strip()), "")
        raise LeftOut(f"{what} cannot be installed ({last.strip()[:80]}); see dist/client-suites/prepare-{what}.log")


def venv(name, *commands):
    """Makes a Python environment with one or more installations, unless exactly this one is there."""
    folder = PLACE / f"venv-{name}"
    stamp = folder / "made-of"
    files = [pathlib.Path(part).read_text() for command in commands for part in command if part.endswith(".txt")]
    wanted = json.dumps([commands, files])
    if not stamp.exists() or stamp.read_text() != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        prepare(name, sys.executable, "-m", "venv", folder)
        for command in commands:
            prepare(name, folder / "bin/pip", "install", "-q", *command)
        stamp.write_text(wanted)
    return folder / "bin/python"


def pytest_outcomes(python, tests, name, cwd, env, options=()):
    """Runs pytest and returns the outcome of each test by its name."""
    report = PLACE / f"{name}.xml"
    report.unlink(missing_ok=True)
    # Instead of a suite's own, which wants plug-ins for style and coverage.
    settings = PLACE / "pytest.ini"
    settings.write_text("[pytest]\n")
    run(
        python,
        "-m",
        "pytest",
        "-q",
        "--timeout=90",
        f"--junitxml={report}",
        "-c",
        settings,
        "-p",
        "no:cacheprovider",
        *options,
        *tests,
        cwd=cwd,
        env=env,
        log=PLACE / f"{name}.log",
    )
    if not report.exists():
        raise LeftOut(f"the suite did not run; see dist/client-suites/{name}.log")
    outcomes = {}
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        test = f"{case.get('classname', '').rsplit('.', 1)[-1]}.{case.get('name')}".lstrip(".")
        kinds = {child.tag for child in case}
        outcomes[test] = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
    return outcomes


def lines_outcomes(output):
    """Outcomes of our own checks, which print a line for each: passed NAME, or failed NAME: why."""
    found = re.findall(r"^(passed|failed|skipped) ([\w.-]+)", output, re.MULTILINE)
    if not found:
        raise LeftOut("the checks did not run: " + output.strip()[-200:])
    return {name: outcome for outcome, name in found}


class Suites:
    """Each method prepares a suite, runs it and returns the outcome of each test."""

    def __init__(self, arguments, data, ports, transport):
        self.arguments = arguments
        self.data = data
        self.transport = transport
        self.port = str(ports[transport])
        self.env = {
            "SKEP_PORT": str(ports["binary"]),
            "SKEP_HTTP_PORT": str(ports["http"]),
            "SKEP_TRANSPORT": transport,
            "PYTHONPATH": str(SOURCES),
        }

    def log(self, name):
        """The name of a suite's logs and reports."""
        return name if self.transport == "binary" else f"{name}-{self.transport}"

    def python(self):
        return venv("python", ["-r", str(SOURCES / "requirements.txt")])

    def pyhive(self):
        """PyHive's tests are not in its release: they come from a Git repository, the tables from its own scripts."""
        if not self.arguments.pyhive:
            raise LeftOut("PyHive's release has no tests; --pyhive SOURCE names its Git repository or a clone")
        python = self.python()
        clone = PLACE / "PyHive"
        if not clone.exists():
            prepare("pyhive", "git", "clone", "-q", self.arguments.pyhive, clone)
        tools = PLACE / "bin"
        tools.mkdir(exist_ok=True)
        hive = tools / "hive"
        hive.write_text(f'#!/bin/sh\nexec "{HOME}/bin/skep" beeline --data "{self.data}" "$@"\n')
        hive.chmod(0o755)
        path = f"{tools}:{os.environ['PATH']}"
        code, output = run(
            "bash", clone / "scripts/make_test_tables.sh", env={"PATH": path}, log=PLACE / "pyhive-tables.log"
        )
        if code != 0:
            raise LeftOut("the suite's tables cannot be made; see dist/client-suites/pyhive-tables.log")
        tests = ["pyhive/tests/test_hive.py", "pyhive/tests/test_sqlalchemy_hive.py"]
        # These two reconfigure the machine's own Hive with sudo.
        options = ["-p", "other_port", "-k", "not test_ldap_connection and not test_custom_connection"]
        return pytest_outcomes(python, tests, self.log("pyhive"), clone, self.env, options)

    def url(self):
        """PyHive's URL of SQLAlchemy."""
        scheme = "hive" if self.transport == "binary" else "hive+http"
        return f"{scheme}://127.0.0.1:{self.port}/default"

    def pandas(self):
        code, output = run(
            self.python(), SOURCES / "pandas_checks.py", self.url(), env=self.env, log=PLACE / f"{self.log('pandas')}.log"
        )
        return lines_outcomes(output)

    def impyla(self):
        """The tests are in the source release."""
        python = self.python()
        folder = PLACE / f"impyla-{IMPYLA_RELEASE}"
        if not folder.exists():
            release = ["--no-binary", ":all:", "--no-deps", "-d", PLACE]
            prepare("impyla", python.parent / "pip", "download", "-q", *release, f"impyla=={IMPYLA_RELEASE}")
            shutil.unpack_archive(f"{folder}.tar.gz", PLACE)
        env = {
            **self.env,
            "IMPYLA_TEST_HOST": "127.0.0.1",
            "IMPYLA_TEST_PORT": self.port,
            "IMPYLA_TEST_HIVE_PORT": self.port,
            "IMPYLA_TEST_HTTP_PORT": self.env["SKEP_HTTP_PORT"],
            "IMPYLA_TEST_AUTH_MECH": "PLAIN",
        }
        options = ["-p", "impyla_transport"]
        return pytest_outcomes(python, ["impala/tests"], self.log("impyla"), folder, env, options)

    def dbt(self):
        """dbt's kerberos client is left out: it is compiled, and only Kerberos needs it."""
        python = venv(
            "dbt",
            ["--no-deps", f"dbt-hive=={DBT_HIVE_RELEASE}"],
            ["-r", str(SOURCES / "requirements-dbt.txt")],
        )
        folder = PLACE / "dbt"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        shutil.copy(SOURCES / "test_dbt_basic.py", folder)
        path = f"{python.parent}:{os.environ['PATH']}"
        env = {**self.env, "PATH": path, "DO_NOT_TRACK": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
        return pytest_outcomes(python, ["test_dbt_basic.py"], self.log("dbt"), folder, env)

    def gohive(self):
        """The tests are in the module; a copy of it connects to the server's port instead of a host of its own."""
        folder = PLACE / "gohive"
        if not folder.exists():
            PLACE.joinpath("go").mkdir(exist_ok=True)
            PLACE.joinpath("go/go.mod").write_text("module clients\n")
            module = f"github.com/beltran/gohive@{GOHIVE_RELEASE}"
            code, output = run("go", "mod", "download", "-json", module, cwd=PLACE / "go")
            if code != 0:
                raise LeftOut(f"gohive cannot be downloaded ({output.strip()[-80:]})")
            shutil.copytree(json.loads(output[output.index("{") : output.rindex("}") + 1])["Dir"], folder)
        for file in folder.glob("*_test.go"):
            file.chmod(0o644)
            original = file.with_suffix(".go.original")
            if not original.exists():
                folder.chmod(0o755)
                shutil.copy(file, original)
            text = original.read_text()
            text = text.replace('"hs2.example.com"', '"127.0.0.1"').replace("10000, getAuth", f"{self.port}, getAuth")
            text = re.sub(r"port( int)? = 10000", lambda found: f"port{found[1] or ''} = {self.port}", text)
            file.write_text(text)
        env = {"TRANSPORT": self.transport, "AUTH": "NONE", "SSL": "0", "METASTORE_SKIP": "1", "SKIP_UNSTABLE": "1"}
        code, output = run(
            "go", "test", "-tags=integration", "-mod=mod", "-json", "-timeout", "300s", ".", cwd=folder, env=env, log=PLACE / f"{self.log('gohive')}.log"
        )
        outcomes = {}
        for line in output.splitlines():
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                outcome = {"pass": "passed", "fail": "failed", "skip": "skipped"}.get(event.get("Action"))
                if outcome and event.get("Test"):
                    outcomes[event["Test"]] = outcome
        if not outcomes:
            raise LeftOut(f"the suite did not run; see dist/client-suites/{self.log('gohive')}.log")
        return outcomes

    def hive_driver(self):
        folder = PLACE / "hive-driver"
        if not folder.exists():
            folder.mkdir()
            folder.joinpath("package.json").write_text("{}\n")
            prepare("hive-driver", "npm", "install", f"hive-driver@{HIVE_DRIVER_RELEASE}", cwd=folder)
        shutil.copy(SOURCES / "hive_driver_checks.js", folder)
        code, output = run(
            "node",
            "hive_driver_checks.js",
            self.port,
            self.transport,
            cwd=folder,
            log=PLACE / f"{self.log('hive-driver')}.log",
            seconds=300,
        )
        return lines_outcomes(output)

    def hue(self):
        """HUE is in no registry: its client comes from a clone of its Git repository."""
        if not self.arguments.hue:
            raise LeftOut("HUE is in no registry; --hue CLONE names a clone of its Git repository")
        python = self.python()
        folder = PLACE / "hue"
        files = [
            f"apps/beeswax/gen-py/TCLIService/{name}.py" for name in ["__init__", "TCLIService", "constants", "ttypes"]
        ]
        for file in files + ["apps/beeswax/src/beeswax/server/hive_server2_lib.py"]:
            code, text = run("git", "-C", self.arguments.hue, "show", f"HEAD:{file}")
            if code != 0:
                raise LeftOut(f"the clone has no {file} ({text.strip()[:80]})")
            folder.joinpath(file).parent.mkdir(parents=True, exist_ok=True)
            folder.joinpath(file).write_text(text)
        code, output = run(
            python,
            SOURCES / "hue_checks.py",
            self.port,
            self.transport,
            folder,
            env=self.env,
            log=PLACE / f"{self.log('hue')}.log",
            seconds=300,
        )
        return lines_outcomes(output)

    def superset(self):
        python = venv("superset", ["-r", str(SOURCES / "requirements-superset.txt")])
        code, output = run(
            python,
            SOURCES / "superset_checks.py",
            self.url(),
            env=self.env,
            log=PLACE / f"{self.log('superset')}.log",
            seconds=600,
        )
        return lines_outcomes(output)


SUITES = {
    "pyhive": Suites.pyhive,
    "pandas": Suites.pandas,
    "impyla": Suites.impyla,
    "dbt": Suites.dbt,
    "gohive": Suites.gohive,
    "hive-driver": Suites.hive_driver,
    "hue": Suites.hue,
    "superset": Suites.superset,
}

TRANSPORTS = ["binary", "http"]


def entry(data, key):
    file = data / "server.properties"
    for line in file.read_text().splitlines() if file.exists() else []:
        if line.startswith(key + "="):
            return line[len(key) + 1 :].replace("\\:", ":").replace("\\=", "=")
    return None


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


@contextlib.contextmanager
def server():
    """Starts a server on an empty data folder and returns the folder and the port of each transport."""
    data = PLACE / "data"
    shutil.rmtree(data, ignore_errors=True)
    conf = PLACE / "conf"
    conf.mkdir(parents=True, exist_ok=True)
    http_port = free_port()
    site = {**SITE, "hive.server2.transport.mode": "all", "hive.server2.thrift.http.port": http_port}
    properties = "".join(f"<property><name>{k}</name><value>{v}</value></property>" for k, v in site.items())
    conf.joinpath("hive-site.xml").write_text(f"<configuration>{properties}</configuration>\n")
    with open(PLACE / "server.log", "w") as log:
        process = subprocess.Popen(
            [HOME / "bin/skep", "server", "--data", data, "--conf", conf, "--port", "0", "--ui-port", "0"],
            stdout=log,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
        )
        try:
            deadline = time.monotonic() + 900
            while not entry(data, "jdbc.url"):
                if process.poll() is not None or time.monotonic() > deadline:
                    sys.exit("skep: no server could be started; see dist/client-suites/server.log")
                time.sleep(0.5)
            binary_port = int(re.search(r":(\d+)/", entry(data, "jdbc.url"))[1])
            yield data, {"binary": binary_port, "http": http_port}
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()


def own_failures():
    """Tests that fail by themselves: also on Hive, or for want of what they ask of a machine. Suite, test, reason."""
    known = {}
    for line in SOURCES.joinpath("own-failures.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            suite, test, reason = line.split(maxsplit=2)
            known.setdefault(suite, {})[test] = reason
    return known


class Report:
    """The table of all suites, and what is to be said about them."""

    def __init__(self):
        self.known = own_failures()
        self.failures = 0
        self.lines = [
            "| suite | transport | passed | failed | own failures | skipped | seconds |",
            "| --- | --- | --- | --- | --- | --- | --- |",
        ]
        self.notes = []

    def left_out(self, name, transport, reason):
        self.lines.append(f"| {name} | {transport} | left out | | | | |")
        self.notes.append(f"{name} over {transport} is left out: {reason}")

    def ended(self, name, transport, outcomes, seconds):
        own = {**self.known.get(name, {}), **self.known.get(f"{name}/{transport}", {})}
        failed = sorted(test for test, outcome in outcomes.items() if outcome == "failed")
        theirs = [test for test in failed if test in own]
        ours = [test for test in failed if test not in own]
        self.failures += len(ours)
        counts = [list(outcomes.values()).count("passed"), len(ours), len(theirs)]
        counts += [list(outcomes.values()).count("skipped"), round(seconds)]
        self.lines.append(f"| {name} | {transport} | " + " | ".join(map(str, counts)) + " |")
        self.notes += [f"{name} over {transport}: {test} failed" for test in ours]
        self.notes += [
            f"{name} over {transport}: {test} passed, though it is listed in own-failures.txt"
            for test in own
            if outcomes.get(test) == "passed"
        ]

    def print(self):
        print("\n".join(self.lines + [""] + self.notes))
        print("logs: dist/client-suites")


def main():
    parser = argparse.ArgumentParser(prog="bin/bench clients", description=__doc__.splitlines()[0])
    parser.add_argument("--only", metavar="NAME", choices=SUITES, action="append", help="one of " + ", ".join(SUITES))
    parser.add_argument("--pyhive", metavar="SOURCE", help="PyHive's Git repository or a clone of it")
    parser.add_argument("--hue", metavar="CLONE", help="a clone of HUE's Git repository")
    parser.add_argument("--transport", choices=TRANSPORTS, action="append", help="only this one of " + ", ".join(TRANSPORTS))
    arguments = parser.parse_args()
    PLACE.mkdir(parents=True, exist_ok=True)
    report = Report()
    with server() as (data, ports):
        for transport in arguments.transport or TRANSPORTS:
            suites = Suites(arguments, data, ports, transport)
            for name in arguments.only or SUITES:
                print(f"skep: {name}, {transport}", file=sys.stderr, flush=True)
                begun = time.monotonic()
                try:
                    report.ended(name, transport, SUITES[name](suites), time.monotonic() - begun)
                except LeftOut as e:
                    report.left_out(name, transport, e)
    report.print()
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
