"""PyHive as its users have it, against a server whose host, port, authentication and scheme (http, https) are the arguments. Prints a line a
test; fails at the first error."""

import datetime
import decimal
import sys
import time

from pyhive import exc, hive
from TCLIService.ttypes import TOperationState

HOST, PORT, AUTH = sys.argv[1], int(sys.argv[2]), sys.argv[3]
SCHEME = sys.argv[4] if len(sys.argv) > 4 else None
DEADLINE = time.monotonic() + 60

# Looks at ten million million pairs and keeps none.
ENDLESS = ("select count(*) from numbers a cross join numbers b cross join numbers c where a.n + b.n + c.n < 0")


def connect(**more):
    return hive.connect(host=HOST, port=PORT, username="ann", auth=AUTH, scheme=SCHEME, **more)


def rows(cursor, sql, parameters=None):
    cursor.execute(sql, parameters)
    return cursor.fetchall()


def expect(actual, wanted):
    if actual != wanted:
        raise AssertionError(f"{actual!r} instead of {wanted!r}")


def await_state(cursor, *states):
    while cursor.poll().operationState not in states:
        if time.monotonic() > DEADLINE:
            raise AssertionError("the operation did not come to " + str(states))


def cursors(cursor):
    cursor.execute("select n from numbers where n < 25 order by n")
    expect(cursor.description[0][0].split(".")[-1], "n")
    expect(cursor.description[0][1], "INT_TYPE")
    expect(cursor.fetchone(), (0,))
    expect(cursor.fetchmany(3), [(1,), (2,), (3,)])
    expect(len(cursor.fetchall()), 21)
    expect(cursor.fetchone(), None)
    cursor.arraysize = 2
    cursor.execute("select n from numbers where n < 7 order by n")
    expect([row[0] for row in cursor], list(range(7)))


def types(cursor):
    cursor.execute(
        "create table every (bo boolean, ti tinyint, si smallint, i int, bi bigint, f float, d double, de decimal(20,4),"
        " s string, vc varchar(5), ch char(5), da date, ts timestamp, b binary, a array<int>, m map<string,int>,"
        " st struct<x:int,y:string>) stored as orc"
    )
    cursor.execute(
        "insert into every select true, 1Y, -2S, 3, -4L, cast(1.5 as float), 2.5D, 1.5, 't\u00e4xt', 'abc', 'ab',"
        " date '2020-02-29', timestamp '2020-01-02 03:04:05.678901', cast('bytes' as binary), array(1,2), map('k',1),"
        " named_struct('x',1,'y','z')"
    )
    cursor.execute("insert into every (bo) values (null)")
    found = rows(cursor, "select * from every order by i desc")
    expect(
        found[0] if found[0][3] is not None else found[1],
        (
            True, 1, -2, 3, -4, 1.5, 2.5, decimal.Decimal("1.5000"), "t\u00e4xt", "abc", "ab   ",
            "2020-02-29", datetime.datetime(2020, 1, 2, 3, 4, 5, 678901), b"bytes",
            "[1,2]", '{"k":1}', '{"x":1,"y":"z"}',
        ),
    )
    expect([row for row in found if row[3] is None], [(None,) * 17])


def parameters(cursor):
    expect(rows(cursor, "select %s, %s, %s", ("it's", 41, None)), [("it's", 41, None)])
    expect(rows(cursor, "select n from numbers where n in %s order by n", ([3, 5],)), [(3,), (5,)])
    expect(rows(cursor, "select %(name)s", {"name": "a\\b"}), [("a\\b",)])


def errors(cursor):
    for sql, state in [("selec 1", "42000"), ("select * from nowhere", "42S02"), ("select x from numbers", "42000")]:
        try:
            cursor.execute(sql)
        except exc.OperationalError as e:
            expect(e.args[0].status.sqlState, state)
        else:
            raise AssertionError(sql + " was not refused")
    expect(rows(cursor, "select 1"), [(1,)])
    try:
        rows(cursor, "select assert_true(n < 5) from numbers")
    except exc.OperationalError:
        pass
    else:
        raise AssertionError("a failure at run time was not told")
    expect(rows(cursor, "select 2"), [(2,)])


def asynchronous(cursor):
    cursor.execute("select count(*) from numbers", async_=True)
    await_state(cursor, TOperationState.FINISHED_STATE)
    expect(cursor.fetchall(), [(1000,)])
    if not any("Executing" in line for line in cursor.fetch_logs()):
        raise AssertionError("the log does not tell what was executed")


def cancel(cursor):
    cursor.execute(ENDLESS, async_=True)
    await_state(cursor, TOperationState.RUNNING_STATE)
    cursor.cancel()
    await_state(cursor, TOperationState.CANCELED_STATE)
    expect(rows(cursor, "select 3"), [(3,)])


def settings(cursor):
    with connect(configuration={"skep.scheduler": "tez"}, database="pyhive_test") as other:
        expect(rows(other.cursor(), "set skep.scheduler"), [("skep.scheduler=tez",)])
        expect(rows(other.cursor(), "select current_database()"), [("pyhive_test",)])
    try:
        connect(configuration={"skep.schedular": "tez"})
    except exc.OperationalError as e:
        if "skep.scheduler" not in str(e):
            raise AssertionError("no near name in " + str(e)) from e
    else:
        raise AssertionError("an unknown setting was not refused")


def main():
    with connect() as connection:
        cursor = connection.cursor()
        cursor.execute("create database pyhive_test")
        cursor.execute("use pyhive_test")
        cursor.execute("create table numbers (n int) stored as orc")
        cursor.execute(
            "insert into numbers select pos from (select posexplode(split(space(999), ' ')) as (pos, v)) t"
        )
        for test in [cursors, types, parameters, errors, asynchronous, cancel, settings]:
            test(cursor)
            print("ok", test.__name__, flush=True)
        cursor.execute("use default")
        cursor.execute("drop database pyhive_test cascade")


main()
