package io.skep.common.type;

/**
 * The physical forms of values in a vector.
 *
 * <ul>
 *   <li>LONG: boolean (0, 1), tinyint to bigint, date (days since 1970-01-01, proleptic Gregorian), interval year to
 *       month (months), decimal of at most 18 digits (unscaled), void (all null).
 *   <li>DOUBLE: float (a double that holds a float's value) and double.
 *   <li>BYTES: string, varchar, char (UTF-8; char without its trailing pad spaces), binary.
 *   <li>DECIMAL128: decimal of 19 to 38 digits (unscaled, two's complement, high and low half).
 *   <li>TIMESTAMP: seconds and nanoseconds (0 to 999,999,999): timestamp (wall clock, as if in UTC), timestamp with
 *       local time zone (instant), interval day to second (seconds may be negative).
 * </ul>
 */
public enum VectorKind {
    LONG,
    DOUBLE,
    BYTES,
    DECIMAL128,
    TIMESTAMP,
    LIST,
    MAP,
    STRUCT,
    UNION
}
