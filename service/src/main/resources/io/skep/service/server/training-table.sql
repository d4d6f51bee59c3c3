CREATE TEMPORARY TABLE training (account BIGINT, name STRING, imps BIGINT, cost DECIMAL(18,4)) PARTITIONED BY (day STRING) STORED AS ORC;
INSERT INTO training PARTITION (day = '20260101') VALUES (1, 'a', 10, 1.5), (2, 'b', 20, 2.5), (3, NULL, 30, 3.5);
INSERT INTO training PARTITION (day) SELECT i % 1000, concat('n', i % 10), i, i / 4, concat('202602', lpad(1 + i % 5, 2, '0')) FROM (SELECT posexplode(split(space(19999), ' ')) AS (i, e)) n;
