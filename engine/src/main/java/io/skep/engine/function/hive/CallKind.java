package io.skep.engine.function.hive;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** How a built-in scalar or table function of Hive uses memory and time for the arguments of a call. */
public enum CallKind {
    /** Returns its arguments, parts of them or something shorter, using a few copies. */
    COPIES(true, """
            ! != % & * + - / < <= <=> <> = == > >= ^ | ~ abs acos add_months aes_decrypt aes_encrypt and array
            array_append array_contains array_max array_min array_position array_slice ascii asin assert_true
            assert_true_oom atan base64 between bigint bin binary boolean bround bucket_number buildversion
            cardinality_violation cbrt ceil ceiling char char_length character_length chr coalesce concat conv cos cosh
            crc32 create_union current_authorizer current_catalog current_database current_date current_groups
            current_schema current_timestamp current_user date date_add date_sub datediff
            datetime_legacy_hybrid_calendar day dayofmonth dayofweek decimal decode degrees div double e elt encode
            enforce_constraint exception_in_vertex_udf exp extract_union factorial field find_in_set float floor
            floor_day floor_hour floor_minute floor_month floor_quarter floor_second floor_week floor_year
            from_utc_timestamp greatest grouping hash hex hour if in index initcap instr int internal_interval
            interval_day_time interval_year_month is_not_distinct_from isfalse isnotfalse isnotnull isnottrue isnull
            istrue lag last_day lcase lead least length ln locate log log10 log2 logged_in_user lower ltrim map
            map_keys map_values mask mask_first_n mask_hash mask_last_n mask_show_first_n mask_show_last_n md5 mid
            minute mod month months_between murmur_hash named_struct negative next_day not nullif nvl octet_length or
            parse_url pi pmod position positive pow power quarter quote radians rand restrict_information_schema reverse
            round rtrim second sha sha1 sha2 shiftleft shiftright shiftrightunsigned sign sin sinh size smallint soundex
            split_map_privs sq_count_check sqrt string struct substr substring substring_index surrogate_key tan tanh
            timestamp tinyint to_date to_epoch_milli to_utc_timestamp toarray tomap tostruct trim trunc
            tumbling_window typeof ucase udftoboolean udftobyte udftodouble udftofloat udftointeger udftolong
            udftoshort unbase64 unhex upper uuid validate_acid_sort_order varchar version weekofyear when width_bucket
            year explode get_llap_splits get_splits get_sql_schema inline parse_url_tuple posexplode replicate_rows
            stack
            """),

    /** Puts elements into sets, or sorts, compares or removes them. */
    ELEMENTS(true, """
            array_compact array_distinct array_except array_intersect array_remove array_union sort_array sort_array_by
            """),

    /** Uses time that grows with the product of the lengths. */
    PRODUCTS(true, "levenshtein"),

    /** Processes the first text by the other arguments, a pattern. Each character of the pattern becomes an object. */
    PATTERN(true, """
            cast_format date_format from_unixtime like regexp regexp_extract regexp_replace rlike to_unix_timestamp
            translate unix_timestamp
            """),

    /** Several patterns. */
    PATTERNS(false, "likeall likeany"),

    /** Concatenates texts and elements with a separator between them. */
    JOINED(true, "array_join concat_ws"),

    /** Returns a text whose length is an argument. */
    LENGTH(false, "format_number lpad repeat rpad space"),

    /** Returns a text formatted with widths. */
    FORMAT(false, "printf"),
    REPLACED(false, "replace"),

    /** Splits a text into many small objects. */
    PARTS(false, "sentences str_to_map"),
    SPLIT(true, "split"),

    /** Builds trees of objects. */
    JSON(false, "get_json_object json_read json_tuple parse_json to_json try_variant_get variant_get"),
    XML(false, """
            xpath xpath_boolean xpath_double xpath_float xpath_int xpath_long xpath_number xpath_short xpath_string
            """),

    /** Computes shapes from texts or binaries. The names begin with {@code st_}. */
    GEOMETRY(false, ""),

    /** Reads binaries that state the length of their content. */
    BLOOM_FILTER(false, "in_bloom_filter"),
    BIT_VECTOR(false, "ndv_compute_bit_vector"),

    /** Reads binaries of the DataSketches library. The names begin with {@code ds_}. */
    SKETCH(false, ""),

    /** Decompresses a text. */
    COMPRESSED(false, "deserialize"),

    /** Reads a file, or calls any Java method. Disabled unless a server enables it. */
    OUTSIDE(false, "in_file java_method reflect reflect2");

    private static final Map<String, CallKind> BY_NAME = byName();

    private final boolean foldable;
    private final String names;

    CallKind(boolean foldable, String names) {
        this.foldable = foldable;
        this.names = names;
    }

    private static Map<String, CallKind> byName() {
        Map<String, CallKind> known = new HashMap<>();
        for (CallKind kind : values()) {
            Arrays.stream(kind.names.split("\\s+"))
                    .filter(name -> !name.isEmpty())
                    .forEach(name -> known.put(name, kind));
        }
        known.put("timestamp with local time zone", COPIES);
        known.put("format_string", FORMAT);
        return Map.copyOf(known);
    }

    /** Returns empty for user functions and for functions that are not classified. */
    public static Optional<CallKind> of(String function) {
        CallKind kind = BY_NAME.get(function);
        if (kind == null && !HiveFunctions.isOfUser(function)) {
            kind = function.startsWith("st_") ? GEOMETRY : function.startsWith("ds_") ? SKETCH : null;
        }
        return Optional.ofNullable(kind);
    }

    /** Whether calls with short constants may be evaluated while a statement compiles. */
    public boolean isFoldable() {
        return foldable;
    }

    /** Whether a call may use much more memory or time than the length of its arguments. */
    public boolean isGrowing() {
        return this != COPIES;
    }
}
