"""SQLAlchemy and pandas over PyHive, as programs use them; prints a line for each check."""

import datetime
import decimal
import sys
import traceback

import pandas
import sqlalchemy

ENGINE = sqlalchemy.create_engine(sys.argv[1])
FRAME = pandas.DataFrame({"id": [1, 2, 3], "word": ["a", "b'c", None], "price": [0.5, 1.5, float("nan")]})
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def query(sql):
    with ENGINE.connect() as connection:
        return [tuple(row) for row in connection.execute(sqlalchemy.text(sql))]


def execute(*statements):
    with ENGINE.connect() as connection:
        for statement in statements:
            connection.execute(sqlalchemy.text(statement))


@check
def scalar():
    assert query("select 1, 'a', cast(1.5 as decimal(3,1))") == [(1, "a", decimal.Decimal("1.5"))]


@check
def has_table():
    inspector = sqlalchemy.inspect(ENGINE)
    assert not inspector.has_table("no_such_table", schema="pandas_checks")
    assert inspector.has_table("kinds", schema="pandas_checks")


@check
def table_names():
    assert "kinds" in sqlalchemy.inspect(ENGINE).get_table_names(schema="pandas_checks")


@check
def schema_names():
    assert "pandas_checks" in sqlalchemy.inspect(ENGINE).get_schema_names()


@check
def columns_are_reflected():
    table = sqlalchemy.Table("kinds", sqlalchemy.MetaData(), schema="pandas_checks", autoload_with=ENGINE)
    assert [column.name for column in table.columns] == ["i", "s", "d", "t", "e", "day"], table.columns
    assert isinstance(table.c.i.type, sqlalchemy.types.Integer)
    assert isinstance(table.c.s.type, sqlalchemy.types.String)


@check
def reflecting_a_missing_table_is_an_error():
    try:
        sqlalchemy.Table("no_such_table", sqlalchemy.MetaData(), schema="pandas_checks", autoload_with=ENGINE)
    except sqlalchemy.exc.NoSuchTableError:
        return
    raise AssertionError("no error")


@check
def values_of_each_kind():
    rows = query("select * from pandas_checks.kinds")
    assert rows == [(
        7, "text", decimal.Decimal("1.50"), datetime.datetime(2020, 1, 2, 3, 4, 5), "2020-02-29", "x",
    )], rows


@check
def to_sql_makes_a_table():
    FRAME.to_sql("made", ENGINE, schema="pandas_checks", index=False, method="multi")
    assert query("select count(*), sum(id) from pandas_checks.made") == [(3, 6)]


@check
def to_sql_appends():
    FRAME.to_sql("made", ENGINE, schema="pandas_checks", index=False, method="multi", if_exists="append")
    assert query("select count(*) from pandas_checks.made") == [(6,)]


@check
def to_sql_replaces():
    FRAME.to_sql("made", ENGINE, schema="pandas_checks", index=False, method="multi", if_exists="replace")
    assert query("select count(*) from pandas_checks.made") == [(3,)]


@check
def to_sql_refuses_a_table_that_is_there():
    try:
        FRAME.to_sql("made", ENGINE, schema="pandas_checks", index=False, method="multi")
    except ValueError:
        return
    raise AssertionError("no error")


@check
def read_sql():
    frame = pandas.read_sql(sqlalchemy.text("select id, word from pandas_checks.made order by id"), ENGINE)
    assert list(frame.columns) == ["id", "word"] and list(frame["word"])[:2] == ["a", "b'c"], frame


@check
def read_sql_in_chunks():
    sql = sqlalchemy.text("select pos from (select posexplode(split(space(999), ' ')) as (pos, v)) t")
    assert sum(len(frame) for frame in pandas.read_sql(sql, ENGINE, chunksize=300)) == 1000


@check
def core_statements():
    table = sqlalchemy.Table("core", sqlalchemy.MetaData(), sqlalchemy.Column("a", sqlalchemy.Integer),
                             sqlalchemy.Column("b", sqlalchemy.String), schema="pandas_checks")
    table.create(ENGINE, checkfirst=True)
    table.create(ENGINE, checkfirst=True)
    with ENGINE.connect() as connection:
        connection.execute(table.insert(), {"a": 1, "b": "one"})
        connection.execute(table.insert(), {"a": 2, "b": "two"})
        found = connection.execute(sqlalchemy.select(table.c.b).where(table.c.a > 1).order_by(table.c.a)).fetchall()
    assert [tuple(row) for row in found] == [("two",)], found
    table.drop(ENGINE, checkfirst=True)
    table.drop(ENGINE, checkfirst=True)


def main():
    execute(
        "drop database if exists pandas_checks cascade",
        "create database pandas_checks",
        "create table pandas_checks.kinds (i int, s string, d decimal(5,2), t timestamp, e date)"
        " partitioned by (day string)",
        "insert into pandas_checks.kinds partition (day = 'x') values (7, 'text', 1.5, '2020-01-02 03:04:05',"
        " '2020-02-29')",
    )
    for function in CHECKS:
        try:
            function()
            print("passed", function.__name__, flush=True)
        except Exception as e:
            print(f"failed {function.__name__}: {type(e).__name__} {str(e)[:300]}", flush=True)
            traceback.print_exc()
    execute("drop database pandas_checks cascade")


main()
