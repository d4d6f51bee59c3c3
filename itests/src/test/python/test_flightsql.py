"""The released ADBC driver of Flight SQL reads a server's tables: rows, shapes of queries, errors, logins."""

import sys

import adbc_driver_flightsql.dbapi as flightsql


def connect(uri, user, password):
    return flightsql.connect(uri, db_kwargs={"username": user, "password": password})


def fetched(connection, query):
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetch_arrow_table()


def fails(part, action):
    try:
        action()
    except Exception as error:
        assert part in str(error), str(error)
        return
    raise AssertionError("no error with " + part)


def main(uri, user, password):
    with connect(uri, user, password) as connection:
        table = fetched(connection, "select n, part, w from many")
        assert table.num_rows == 30000, table.num_rows
        assert sorted(table.column("n").to_pylist()) == list(range(30000))
        assert [str(field.type) for field in table.schema] == ["int64", "int32", "string"], table.schema
        kinds = fetched(connection, "select x, dt, p, a, st from kinds where i = 3").to_pylist()
        assert str(kinds[0]["dt"]) == "2020-02-29" and str(kinds[0]["p"]) == "12.34", kinds
        assert kinds[0]["a"] == [1, 2] and kinds[0]["st"] == {"k": 7, "w": "seven"}, kinds
        nested = fetched(
            connection,
            "select map('a', n, 'b', cast(null as bigint)) as m, array(named_struct('k', n)) as l,"
            " array(array(n), array(n, n)) as d from many where n < 2 order by n",
        ).to_pylist()
        assert [row["m"] for row in nested] == [[("a", 0), ("b", None)], [("a", 1), ("b", None)]], nested
        assert nested[1]["l"] == [{"k": 1}] and nested[1]["d"] == [[1], [1, 1]], nested
        print("ok rows")
        counts = fetched(connection, "select part, count(*) as c from many group by part order by part")
        assert counts.column("part").to_pylist() == list(range(7)), counts
        assert sum(counts.column("c").to_pylist()) == 30000, counts
        assert fetched(connection, "select n from many where n < 0").num_rows == 0
        with connection.cursor() as cursor:
            cursor.execute("select n from many where n = 5")
            assert cursor.fetchall() == [(5,)]
        print("ok shapes")
        fails("Permission denied", lambda: fetched(connection, "select b from own"))
        fails("Table not found", lambda: fetched(connection, "select a from nowhere"))
        fails("Permission denied", lambda: fetched(connection, "drop table many"))
        print("ok errors")
    fails("Error validating the login", lambda: connect(uri, user, "wrong"))
    fails("Error validating the login", lambda: fetched(flightsql.connect(uri), "select 1"))
    print("ok login")


main(*sys.argv[1:])
