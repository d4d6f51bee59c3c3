# Makes the distribution. Sourced by bin/skep after lib.sh.

# make_sbom: lists the libraries of server and clients as CycloneDX files in dist/.
make_sbom() {
    if ! newer_than "$DIST/skep-sbom.json" "$SKEP_HOME/pom.xml" "$SKEP_HOME"/*/pom.xml "$SKEP_HOME"/clients/*/pom.xml; then return; fi
    find_maven
    run_quietly "listing the libraries" "$MVN" -B -ntp -q -DskipTests -Dspotless.check.skip -Dcheckstyle.skip \
        -Psbom -pl service,metastore-service,itests/released-clients -am package
}

# packed_files: the files of the source tree and of dist/ that a distribution has, by name.
packed_files() {
    (
        cd "$SKEP_HOME"
        for file in LICENSE NOTICE README.md bin/skep bin/lib.sh bin/jvm.flags bin/training-statements.sql; do
            echo "$file"
        done
        find conf dist/lib dist/metastore-lib dist/beeline-lib dist/clients -type f
    ) | LC_ALL=C sort
}

# make_package FOLDER AS_IS: leaves skep-VERSION.tar.gz there. The same files give the same bytes: names are sorted; owners,
# modes and times are fixed. With AS_IS=yes it takes what dist/ holds, and the SBOM only if it is not older than a pom.xml.
make_package() {
    local folder="$1" version time stage name added=(VERSION)
    case "$(tar --version 2>/dev/null)" in
        *GNU*) ;;
        *) die "package needs GNU tar" ;;
    esac
    if [ "$2" != yes ]; then
        find_jdk
        build_server
        build_released_clients
        build_client_jars
        make_sbom
    fi
    for name in lib metastore-lib beeline-lib clients; do
        [ -d "$DIST/$name" ] || die "$DIST/$name is missing; run bin/skep package without --as-is"
    done
    version=$(sed -n 's|^  <version>\(.*\)</version>|\1|p' "$SKEP_HOME/pom.xml" | head -n 1)
    time=$(sed -n 's|.*<project.build.outputTimestamp>\(.*\)</project.build.outputTimestamp>.*|\1|p' "$SKEP_HOME/pom.xml")
    stage=$(mktemp -d "${TMPDIR:-/tmp}/skep-package.XXXXXX")
    echo "$version" >"$stage/VERSION"
    if ! newer_than "$DIST/skep-sbom.json" "$SKEP_HOME/pom.xml" "$SKEP_HOME"/*/pom.xml "$SKEP_HOME"/clients/*/pom.xml; then
        for name in skep-sbom.json skep-metastore-sbom.json skep-clients-sbom.json; do
            cp "$DIST/$name" "$stage/$name" && added+=("$name")
        done
    else
        echo "skep: there is no SBOM of these libraries; run bin/skep package without --as-is for one" >&2
    fi
    mkdir -p "$folder"
    name="$folder/skep-$version.tar.gz"
    packed_files >"$stage/files"
    # Jars are compressed already.
    tar --create --format=gnu --no-recursion --mtime="$time" --owner=0 --group=0 --numeric-owner \
        --mode='u+rwX,go+rX,go-w' --transform="s,^,skep-$version/," \
        -C "$SKEP_HOME" -T "$stage/files" -C "$stage" "${added[@]}" | gzip -n -1 >"$name.partial"
    mv "$name.partial" "$name"
    rm -rf "$stage"
    echo "$name"
}
