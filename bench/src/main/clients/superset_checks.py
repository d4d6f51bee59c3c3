"""Superset's own code for Hive, over PyHive, as its pages and SQL Lab use it; prints a line for each check."""

import datetime
import os
import pathlib
import sys
import tempfile
import threading
import time
import traceback

import pandas

URL = sys.argv[1]
HOME = pathlib.Path(tempfile.mkdtemp(prefix="superset"))
HOME.joinpath("superset_config.py").write_text(f"""
SECRET_KEY = "of the checks"
SQLALCHEMY_DATABASE_URI = "sqlite:///{HOME}/superset.db"
DB_POLL_INTERVAL_SECONDS = {{"hive": 0.1}}
UPLOAD_FOLDER = "{HOME}"
FILTER_STATE_CACHE_CONFIG = EXPLORE_FORM_DATA_CACHE_CONFIG = {{"CACHE_TYPE": "SimpleCache"}}
""")
os.environ["SUPERSET_CONFIG_PATH"] = str(HOME / "superset_config.py")
os.environ["SUPERSET_HOME"] = str(HOME)

from flask_appbuilder import Model
from superset.app import create_app

app = create_app()
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def run(database, *statements):
    with database.get_raw_connection() as connection:
        cursor = connection.cursor()
        for statement in statements:
            cursor.execute(statement)


def table(name):
    from superset.sql.parse import Table

    return Table(name, "superset_checks")


@check
def databases_tables_and_views(database):
    assert "superset_checks" in database.get_all_schema_names()
    found = {name for name, _, _ in database.get_all_table_names_in_schema(catalog=None, schema="superset_checks")}
    views = {name for name, _, _ in database.get_all_view_names_in_schema(catalog=None, schema="superset_checks")}
    assert views == {"sales_view"}, views
    assert found - views == {"sales"}, found
    assert database.has_table(table("sales")) and not database.has_table(table("nothing"))


@check
def columns(database):
    found = [(column["column_name"], str(column["type"])) for column in database.get_columns(table("sales"))]
    assert [name for name, _ in found] == ["id", "city", "price", "at", "d", "ds"], found


@check
def the_latest_partition(database):
    names, values = database.db_engine_spec.latest_partition(database, table("sales"))
    assert (names, values) == (["ds"], ["2020-01-02"]), (names, values)


@check
def select_star(database):
    sql = database.select_star(table("sales"), limit=10, show_cols=True, latest_partition=True,
                               cols=database.get_columns(table("sales")))
    assert "2020-01-02" in sql, sql
    assert len(database.get_df(sql, schema="superset_checks")) == 1
    assert len(database.get_df(database.select_star(table("sales"), limit=2), schema="superset_checks")) == 2


@check
def function_names(database):
    found = database.get_df("SHOW FUNCTIONS")
    assert list(found.columns) == ["tab_name"], found.columns
    assert "concat_ws" in database.function_names


@check
def time_grains(database):
    """The expressions by which charts group times."""
    grains = database.db_engine_spec.get_time_grain_expressions()
    bad = []
    for grain, expression in grains.items():
        try:
            found = database.get_df(f"SELECT {expression.format(col='`at`')} AS t, count(*) AS n FROM sales GROUP BY "
                                    + expression.format(col="`at`"), schema="superset_checks")
            assert found["n"].sum() == 3, found
        except Exception as e:
            bad.append(f"{grain}: {str(e)[:150]}")
    assert not bad, bad


@check
def times_as_literals(database):
    moment = datetime.datetime(2020, 1, 1, 10, 0, 0)
    literal = database.db_engine_spec.convert_dttm("TIMESTAMP", moment)
    assert len(database.get_df(f"SELECT id FROM sales WHERE `at` >= {literal}", schema="superset_checks")) == 3
    literal = database.db_engine_spec.convert_dttm("DATE", moment)
    assert len(database.get_df(f"SELECT id FROM sales WHERE d = {literal}", schema="superset_checks")) == 2


@check
def a_chart(database):
    """SQLAlchemy's statement for a chart, with a limit and NULLs, as Superset compiles it."""
    import sqlalchemy

    sales = sqlalchemy.table("sales", sqlalchemy.column("city"), sqlalchemy.column("price"), schema="superset_checks")
    total = sqlalchemy.func.sum(sales.c.price).label("SUM(price)")
    city = sales.c.city.label("city")
    statement = sqlalchemy.select([city, total]).group_by(sales.c.city).order_by(sqlalchemy.desc(total)).limit(5)
    found = database.get_df(database.compile_sqla_query(statement))
    assert list(found["city"]) == ["b", "a%'x"], found


def sql_lab(database, sql, **named):
    from superset import db
    from superset.models.sql_lab import Query

    query = Query(database_id=database.id, database=database, sql=sql, schema="superset_checks", client_id=str(time.time_ns())[-11:],
                  status="pending", limit=1000, start_time=time.time() * 1000, **named)
    db.session.add(query)
    db.session.commit()
    return query


def execute(query):
    from superset import sql_lab as lab

    return lab.execute_sql_statements(query.id, query.sql, return_results=True, store_results=False,
                                      start_time=time.time() * 1000, expand_data=False, log_params=None)


@check
def sql_lab_runs_statements(database):
    query = sql_lab(database, "SELECT id, city, price, `at`, d FROM sales WHERE city LIKE '%a%' ORDER BY id")
    payload = execute(query)
    assert [row["id"] for row in payload["data"]] == [1, 2], payload
    assert payload["data"][0]["city"] == "a%'x", payload
    assert str(query.status) in ("success", "QueryStatus.SUCCESS"), query.status


@check
def sql_lab_shows_errors(database):
    query = sql_lab(database, "SELECT nothing FROM sales")
    try:
        message = str(execute(query))
    except Exception as e:
        message = str(e)
    assert "nothing" in message and "TExecuteStatementResp" not in message, message


@check
def sql_lab_stops_a_query(database):
    from superset import db
    from superset.models.sql_lab import Query

    numbers = "(select posexplode(split(space(9999), ' ')) as (n, v))"
    query = sql_lab(database, f"SELECT count(*) AS n FROM {numbers} a CROSS JOIN {numbers} b CROSS JOIN {numbers} c"
                              " WHERE a.n + b.n < c.n")
    number = query.id

    def stop():
        with app.app_context():
            time.sleep(2)
            running = db.session.query(Query).filter_by(id=number).one()
            running.status = "stopped"
            db.session.commit()

    stopping = threading.Thread(target=stop)
    stopping.start()
    begun = time.monotonic()
    try:
        execute(query)
    except Exception as e:
        print("stopped with", type(e).__name__)
    stopping.join()
    assert time.monotonic() - begun < 30


@check
def an_uploaded_file(database):
    """Superset writes a Parquet file into a bucket of S3; here the file is in a folder, and the rest is the same."""
    from superset.db_engine_specs import hive

    folder = HOME / "uploaded"
    folder.mkdir()

    def keep(filename, upload_prefix, table):
        folder.joinpath("file.parquet").write_bytes(pathlib.Path(filename).read_bytes())
        return f"file:{folder}"

    from flask import g

    hive.upload_to_s3 = keep
    g.user = None
    frame = pandas.DataFrame({"a": [1, 2], "b": ["x", None], "c": [0.5, 1.5], "d": [True, False]})
    database.db_engine_spec.df_to_sql(database, table("uploaded"), frame, {"if_exists": "fail"})
    found = database.get_df("SELECT * FROM uploaded ORDER BY a", schema="superset_checks")
    assert len(found) == 2 and found.iloc[0, 1] == "x", found


@check
def acting_for_a_user(database):
    url, arguments = database.db_engine_spec.impersonate_user(database, "mary", None, database.url_object, {})
    import sqlalchemy

    with sqlalchemy.create_engine(url, **arguments).connect() as connection:
        assert connection.execute("SELECT current_user()").scalar() == "mary"


def main():
    from superset import db
    from superset.models.core import Database

    Model.metadata.create_all(db.engine)
    database = Database(database_name="checks", sqlalchemy_uri=URL, expose_in_sqllab=True)
    db.session.add(database)
    db.session.commit()
    run(
        database,
        "drop database if exists superset_checks cascade",
        "create database superset_checks",
        "create table superset_checks.sales (id int, city string, price decimal(10,2), `at` timestamp, d date)"
        " partitioned by (ds string) stored as orc",
        "insert into superset_checks.sales partition (ds = '2020-01-01') values"
        " (1, 'a%\\'x', 1.5, '2020-01-01 10:11:12', '2020-01-01'), (2, 'a%\\'x', 2, '2020-01-01 11:00:00', '2020-01-01')",
        "insert into superset_checks.sales partition (ds = '2020-01-02') values (3, 'b', 10, '2020-01-02 00:00:00', '2020-01-02')",
        "create view superset_checks.sales_view as select city from superset_checks.sales",
    )
    for function in CHECKS:
        try:
            function(database)
            print("passed", function.__name__, flush=True)
        except Exception as e:
            print(f"failed {function.__name__}: {type(e).__name__} {str(e)[:300]}", flush=True)
            traceback.print_exc()
    run(database, "drop database superset_checks cascade")


with app.app_context():
    main()
