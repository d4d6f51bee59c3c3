# Sourced by the commands in this folder: finds the tools, builds what is missing or outdated, makes class paths.
set -euo pipefail

SKEP_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
DIST="$SKEP_HOME/dist"

die() {
    echo "skep: $*" >&2
    exit 1
}

# is_jdk_25 DIR: a JDK, not only a runtime, of version 25.
is_jdk_25() {
    [ -x "$1/bin/javac" ] && grep -q '^JAVA_VERSION="25' "$1/release" 2>/dev/null
}

# Sets and exports JAVA_HOME.
find_jdk() {
    local on_path='' candidate
    if command -v javac >/dev/null 2>&1; then
        on_path=$(dirname "$(dirname "$(readlink -f "$(command -v javac)" 2>/dev/null || command -v javac)")")
    fi
    for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*25* /usr/java/*25* /opt/*25* /opt/*/*25* \
        "$HOME"/.sdkman/candidates/java/25* "$HOME"/.jdks/*25* \
        /Library/Java/JavaVirtualMachines/*25*/Contents/Home \
        /opt/homebrew/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home \
        /usr/local/opt/openjdk@25/libexec/openjdk.jdk/Contents/Home \
        /opt/homebrew/opt/openjdk/libexec/openjdk.jdk/Contents/Home \
        /home/linuxbrew/.linuxbrew/opt/openjdk@25/libexec; do
        if [ -n "$candidate" ] && is_jdk_25 "$candidate"; then
            export JAVA_HOME="$candidate"
            return
        fi
    done
    die "no JDK 25 found; install one (for example Temurin 25) and set JAVA_HOME to it"
}

# older_java: prints a java of version 17 or 21, on which Spark runs; nothing if there is none.
older_java() {
    local candidate home
    for candidate in "$(command -v java 2>/dev/null || true)" /usr/lib/jvm/*/bin/java; do
        if [ ! -x "$candidate" ]; then continue; fi
        home=$(dirname "$(dirname "$(readlink -f "$candidate")")")
        if grep -qE '^JAVA_VERSION="(17|21)[.]' "$home/release" 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
}

# Sets MVN.
find_maven() {
    local candidate
    for candidate in "$(command -v mvn 2>/dev/null || true)" "${MAVEN_HOME:-/nonexistent}/bin/mvn" \
        "${M2_HOME:-/nonexistent}/bin/mvn" "$HOME/.sdkman/candidates/maven/current/bin/mvn" \
        /opt/maven/bin/mvn /opt/*maven*/bin/mvn /usr/share/maven/bin/mvn /opt/homebrew/bin/mvn /usr/local/bin/mvn; do
        if [ -n "$candidate" ] && [ -x "$candidate" ]; then
            MVN="$candidate"
            return
        fi
    done
    die "no Maven found; install Maven 3.8 or later and put mvn on the PATH"
}

# newer_than STAMP PATH...: whether anything under the paths changed after the stamp was made.
newer_than() {
    local stamp="$1"
    shift
    [ ! -f "$stamp" ] || [ -n "$(find "$@" -newer "$stamp" -type f -print 2>/dev/null | head -n 1 || true)" ]
}

# run_quietly WHAT COMMAND...: one progress line; the whole log if the command fails.
run_quietly() {
    local what="$1" log="$DIST/build.log" start=$SECONDS pid
    shift
    mkdir -p "$DIST"
    echo "skep: $what (log: $log)" >&2
    "$@" >"$log" 2>&1 &
    pid=$!
    # shellcheck disable=SC2064
    trap "kill $pid 2>/dev/null || true" INT TERM
    while kill -0 "$pid" 2>/dev/null; do
        if [ -t 2 ]; then printf '\rskep: %s, %d s ' "$what" $((SECONDS - start)) >&2; fi
        sleep 1
    done
    trap - INT TERM
    if [ -t 2 ]; then printf '\r' >&2; fi
    if ! wait "$pid"; then
        grep -E 'ERROR|FAIL' "$log" | head -n 40 >&2 || tail -n 40 "$log" >&2
        die "failed: $what; see $log"
    fi
    echo "skep: done in $((SECONDS - start)) s" >&2
}

# Makes dist/lib, dist/metastore-lib and dist/bench-lib if a source is newer than they are.
build_server() {
    local stamp="$DIST/.server-built" started
    cd "$SKEP_HOME"
    # A distribution has no sources.
    if [ ! -f pom.xml ]; then return; fi
    if ! newer_than "$stamp" pom.xml .mvn ./*/pom.xml ./*/src/main clients/*/pom.xml clients/*/src/main; then return; fi
    find_maven
    mkdir -p "$DIST"
    # Old versions of libraries must not stay next to the new ones.
    if newer_than "$stamp" pom.xml ./*/pom.xml clients/*/pom.xml; then rm -rf "$DIST/lib" "$DIST/metastore-lib" "$DIST/bench-lib"; fi
    started=$(mktemp "$DIST/.started.XXXXXX")
    run_quietly "building Skep (the first time it downloads its libraries)" \
        "$MVN" -B -ntp -q -DskipTests -Dspotless.check.skip -Dcheckstyle.skip -pl bench,metastore-service -am package
    mv "$started" "$stamp"
}

# Makes dist/beeline-lib.
build_released_clients() {
    local stamp="$DIST/.clients-built"
    cd "$SKEP_HOME"
    if [ ! -f pom.xml ]; then return; fi
    if ! newer_than "$stamp" itests/released-clients/pom.xml; then return; fi
    find_maven
    # Old versions of libraries must not stay next to the new ones.
    rm -rf "$DIST/beeline-lib"
    run_quietly "fetching the released Beeline" "$MVN" -B -ntp -q -pl itests/released-clients process-resources
    touch "$stamp"
}

# Makes dist/clients, the jars for programs outside of the server.
build_client_jars() {
    local stamp="$DIST/.client-jars-built" started
    cd "$SKEP_HOME"
    if [ ! -f pom.xml ]; then return; fi
    if ! newer_than "$stamp" pom.xml clients/pom.xml clients/*/pom.xml clients/*/src/main; then return; fi
    find_maven
    mkdir -p "$DIST"
    started=$(mktemp "$DIST/.started.XXXXXX")
    run_quietly "building the clients' jars" \
        "$MVN" -B -ntp -q -DskipTests -Dspotless.check.skip -Dcheckstyle.skip -pl clients/mapred,clients/pig,clients/spark -am package
    mv "$started" "$stamp"
}

# class_path FOLDER...: jars in a fixed order, because the start cache is tied to the exact list; within a folder
# Skep's own come first.
class_path() {
    local folder jar own others list=''
    for folder in "$@"; do
        own='' others=''
        for jar in "$DIST/$folder"/*.jar; do
            case "$jar" in
                */skep-*.jar) own="$own:$jar" ;;
                *) others="$others:$jar" ;;
            esac
        done
        list="$list$own$others"
    done
    printf '%s' "${list#:}"
}

# metastore_class_path: the server's, with the Jetty of Hive's metastore service in the place of the server's.
metastore_class_path() {
    class_path metastore-lib lib | tr ':' '\n' | grep -vF "$DIST/lib/jetty-" | paste -s -d : -
}

# java_command: sets JAVA, the command up to the main class. SKEP_JAVA_OPTS adds flags.
java_command() {
    JAVA=("$JAVA_HOME/bin/java" "@$SKEP_HOME/bin/jvm.flags" "-Dskep.home=$SKEP_HOME")
    if [ -n "${SKEP_LOG_DIR:-}" ]; then
        mkdir -p "$SKEP_LOG_DIR"
        JAVA+=("-Dskep.log.dir=$SKEP_LOG_DIR" "-Dlog4j.configuration=file:$SKEP_HOME/conf/log4j-file.properties")
    else
        JAVA+=("-Dlog4j.configuration=file:$SKEP_HOME/conf/log4j.properties")
    fi
    if [ -n "${SKEP_HEAP_DUMP:-}" ]; then
        mkdir -p "$SKEP_HEAP_DUMP"
        JAVA+=("-XX:+HeapDumpOnOutOfMemoryError" "-XX:HeapDumpPath=$SKEP_HEAP_DUMP")
    fi
    # shellcheck disable=SC2206
    JAVA+=(${SKEP_JAVA_OPTS:-})
}

# asks_help ARGUMENTS...: whether one of them is -h or --help.
asks_help() {
    local argument
    for argument in "$@"; do
        case "$argument" in
            -h | --help) return 0 ;;
        esac
    done
    return 1
}

# run_java MAIN CLASSPATH ARGUMENTS...: replaces this shell.
run_java() {
    local main="$1" path="$2"
    shift 2
    java_command
    exec "${JAVA[@]}" -cp "$path" "$main" "$@"
}

# run_server MAIN CLASSPATH ARGUMENTS...: as run_java, started from the cache of loaded and linked classes.
run_server() {
    local main="$1" path="$2"
    shift 2
    java_command
    make_start_cache
    if [ -s "$START_CACHE" ]; then JAVA+=("-XX:AOTCache=$START_CACHE"); fi
    if [ "${KEEP_RUNNING:-}" = yes ]; then
        keep_running "${JAVA[@]}" -cp "$path" "$main" "$@"
    fi
    exec "${JAVA[@]}" -cp "$path" "$main" "$@"
}

# keep_running COMMAND...: starts the command again when it ends by itself, after a pause that grows from one second to a
# minute. Ends when the command ends because of a signal or wrong usage, or when its first start fails. Does not return.
keep_running() {
    local pause=1 begun status first=yes
    CHILD='' STOPPING=''
    trap 'STOPPING=yes; kill -TERM "$CHILD" 2>/dev/null || true' TERM INT
    while :; do
        begun=$SECONDS
        "$@" &
        CHILD=$!
        # A signal ends the wait, not the child.
        status=0
        wait "$CHILD" || status=$?
        while kill -0 "$CHILD" 2>/dev/null; do
            status=0
            wait "$CHILD" || status=$?
        done
        if [ -n "$STOPPING" ]; then
            wait "$CHILD" 2>/dev/null || status=$?
            exit "$status"
        fi
        case "$status" in
            0 | 130 | 143) exit "$status" ;;
            1) if [ "$first" = yes ]; then exit 1; fi ;;
            2) exit 2 ;;
        esac
        first=''
        if [ $((SECONDS - begun)) -ge 60 ]; then pause=1; fi
        echo "skep: ended with status $status; starting again in $pause s" >&2
        # A signal ends the pause.
        sleep "$pause" &
        CHILD=$!
        wait "$CHILD" || true
        if [ -n "$STOPPING" ]; then exit 143; fi
        pause=$((pause * 2 > 60 ? 60 : pause * 2))
    done
}

START_CACHE="$DIST/start.aot"

# The folder that the start cache was made for. Java accepts the cache for jars that have moved, but then takes half of a
# sealed package from the cache and half from its jar, which cannot be linked: the metastore's Derby stops in the middle of
# a transaction.
START_PLACE="$DIST/start.place"

# Makes the start cache once per build: starts a server on an empty folder, asks it some queries and stops it.
# SKEP_START_CACHE=off skips it, for people who build often.
make_start_cache() {
    if [ "${SKEP_START_CACHE:-on}" = off ]; then
        START_CACHE=/nonexistent
        return
    fi
    if [ -f "$START_CACHE" ] && [ "$(cat "$START_PLACE" 2>/dev/null)" = "$SKEP_HOME" ] &&
        ! newer_than "$START_CACHE" "$DIST/.server-built"; then
        return
    fi
    # A distribution that belongs to another user stays without a cache.
    if [ ! -w "$DIST" ]; then
        START_CACHE=/nonexistent
        return
    fi
    build_released_clients
    rm -f "$START_CACHE" "$START_PLACE"
    run_quietly "preparing a fast start" train_start
    echo "$SKEP_HOME" >"$START_PLACE"
    grep '^skep: ' "$DIST/build.log" >&2 || true
}

# training_script TEXTS: prints statements of every kind, and then the queries that a server also asks itself after each start, many times with
# different literals, so that the profiles in the cache for Java's compiler are those of a busy server.
training_script() {
    local round texts="$1"
    sed 's/CREATE TEMPORARY/CREATE/' "$texts/training-table.sql"
    cat "$SKEP_HOME/bin/training-statements.sql"
    for round in 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9; do
        sed "s/:n/$round/g" "$texts/training-queries.sql"
    done
    echo "DROP TABLE training;"
}

# Writes an empty cache file when the cache cannot be made; servers then start without one.
train_start() {
    local data pid waited=0
    data=$(mktemp -d "${TMPDIR:-/tmp}/skep-train.XXXXXX")
    "${JAVA[@]}" "-XX:AOTCacheOutput=$START_CACHE" -cp "$(class_path lib)" io.skep.service.ServerMain \
        --data "$data" --port 0 --ui-port 0 &
    pid=$!
    while [ ! -s "$data/server.properties" ] && kill -0 "$pid" 2>/dev/null && [ "$waited" -lt 120 ]; do
        sleep 1
        waited=$((waited + 1))
    done
    if [ -s "$data/server.properties" ]; then
        (mkdir "$data/texts" && cd "$data/texts" && "$JAVA_HOME/bin/jar" -xf "$(ls "$DIST"/lib/skep-service-*.jar)" \
            io/skep/service/server/training-table.sql io/skep/service/server/training-queries.sql)
        training_script "$data/texts/io/skep/service/server" >"$data/training.sql"
        TERM=dumb "${JAVA[@]}" -Xmx512m -cp "$(class_path beeline-lib)" org.apache.hive.beeline.BeeLine \
            -u "$(entry "$data" jdbc.url)" -n training -f "$data/training.sql" </dev/null ||
            echo "skep: the training failed, see $DIST/build.log; the first queries of a server will be slower"
    fi
    kill "$pid" 2>/dev/null || true
    wait "$pid" || true
    rm -rf "$data"
    if [ ! -s "$START_CACHE" ]; then
        echo "skep: no start cache could be made, see $DIST/build.log; starts will be slower"
        : >"$START_CACHE"
    fi
}

# entry DATA KEY [FILE]: prints a value that a running server, or another process, wrote about itself.
entry() {
    sed -n "s/^$2=//p" "$1/${3:-server.properties}" 2>/dev/null | sed 's/\\\([:=]\)/\1/g' | head -n 1
}
