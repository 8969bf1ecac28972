#!/usr/bin/env bash
# Builds what the pages for embedders and vendors show as projects of their own: outside of the tree, with the artifacts of this build
# from a local repository that is thrown away, and with nothing else of the tree. Runs the plugin's test and those of the project that
# sro new writes, brings the latter to Ready with sro dev, loads the embedder's class path, and has the command line take the plugin's
# jar. Charts alone are built there, too, to see what comes with them. .ci/embedders.sh has the embedders' operators run, in
# applications of Quarkus and Spring Boot, and with the lowest and the highest version of fabric8's client that the page promises;
# with --clients all, with all that it names.
#
# Needs the jars of a build, as ./mvnw verify leaves them. With --release it takes what ./mvnw -Prelease package made instead, as its
# users would: the archive is unpacked in an empty folder, and its command line alone plans, brings a plugin to Ready, installs the
# artifacts, and does all of the above; then .ci/tutorials.sh. Maven fetches the projects' other dependencies if they are not there yet.
#
# The project of sro new is also built and run by a JDK 25, where there is one (SRO_JDK25, JAVA_HOME_25_X64, or /usr/lib/jvm/*25*), and
# compared with what mvn archetype:generate makes of the archetype.
set -euo pipefail
cd "$(dirname "$0")/.."
home=$PWD

work=$(mktemp -d)
trap 'kill $(jobs -p) 2> /dev/null || true; rm -rf "$work"' EXIT

fail() {
  echo "outside: $*" >&2
  exit 1
}

# What `install` would put into a local repository; it would also run all that comes before it again.
install() {
  local pom=$1 folder artifact place
  folder=$(dirname "$pom")
  artifact=$(awk '/<parent>/ { parent = 1 } /<\/parent>/ { parent = 0 }
    !parent && match($0, /<artifactId>[^<]+/) { print substr($0, RSTART + 12, RLENGTH - 12); exit }' "$pom")
  place=$work/repository/dev/sro/$artifact/$version
  mkdir -p "$place"
  cp "$pom" "$place/$artifact-$version.pom"
  if ! grep -q '<packaging>pom</packaging>' "$pom"; then
    [ -f "$folder/target/$artifact-$version.jar" ] || fail "$folder/target has no jar: run ./mvnw verify first"
    cp "$folder/target/$artifact-$version.jar" "$place"
  fi
}

# What users of a release do with its files.
unpack() {
  local published release archive module kind begun
  published=$(sed -n 's|^ *<module>\(sro-.*\)</module>$|\1|p' pom.xml | grep -v -e '/bom$' -e '/release$')
  release=$home/sro-runtime/release/target/release
  archive=sro-$version.tar.gz
  [ -f "$release/$archive" ] || fail "$release has no $archive: run ./mvnw -Prelease -DskipTests package first"
  (cd "$release" && sha256sum --quiet -c SHA256SUMS) || fail "SHA256SUMS are not those of the files"
  [ "$(ls "$release" | grep -cvx SHA256SUMS)" = "$(wc -l < "$release/SHA256SUMS")" ] || fail "SHA256SUMS has not all files"
  grep -q "sha256: $(sha256sum "$release/$archive" | cut -d' ' -f1)\$" "$release/sro-$version-krew.yaml" \
    || fail "the manifest for krew has another checksum"
  .ci/sbom.sh || fail "the SBOM is not that of the archive"
  for module in $published; do
    # An archetype has no classes.
    [ ! -d "$module/src/main/java" ] || for kind in sources javadoc; do
      ls "$module"/target/*-$kind.jar > /dev/null || fail "$module has no jar with its $kind"
    done
  done

  # As krew does it: a link to the command, which is called from anywhere.
  mkdir "$work/empty"
  tar -xzf "$release/$archive" -C "$work/empty"
  ln -s "$work/empty/sro-$version/bin/sro" "$work/kubectl-sro"
  sro=$work/kubectl-sro
  cd "$work/empty/sro-$version"
  begun=$(date +%s%N)
  "$sro" --version > /dev/null || fail "the archive does not run"
  first=$((($(date +%s%N) - begun) / 1000000))
  [ -n "$(find . -maxdepth 1 -name 'classes-*.jsa' -size +1M)" ] || fail "the first start makes no class archive"
  begun=$(date +%s%N)
  "$sro" --version > /dev/null
  later=$((($(date +%s%N) - begun) / 1000000))
  "$sro" plan -f samples/special-resource.yaml --nodes samples/nodes.yaml > "$work/plan" || fail "the samples have no plan"
  grep -q '+ DaemonSet simple-kmod/simple-kmod-driver-container-' "$work/plan" || fail "the plan of the samples is not whole"
  "$sro" dev -f samples/special-resource.yaml --nodes samples/nodes.yaml --until-ready --for-seconds 120 --plain --speed 20 > "$work/dev" \
    || fail "the samples do not get ready: $(cat "$work/dev")"
  "$sro" install-artifacts --repository "$work/repository" > "$work/installed" || fail "no artifacts are installed"
  cd "$home"
  echo "outside: first output of the archive after $first ms, which makes the class archive, and then after $later ms"
}

# The first block of a language in a page that has this text, without its fences.
block() {
  local page=$1 language=$2 text=$3
  awk -v language="$language" -v text="$text" '
    $0 == "```" language { inside = 1; lines = ""; next }
    inside && $0 == "```" { if (index(lines, text)) { printf "%s", lines; found = 1; exit } inside = 0; next }
    inside { lines = lines $0 "\n" }
    END { exit !found }' "docs/$page" || fail "docs/$page has no block of $language with \"$text\""
}

# Maven, with the throw-away repository. The tail is read where that has nothing; what was downloaded once need not be again.
maven() {
  "$home/mvnw" -B -ntp -q "-Dmaven.repo.local=$work/repository" \
    "-Dmaven.repo.local.tail=${SRO_MAVEN_REPOSITORY:-$HOME/.m2/repository}" -Dmaven.repo.local.tail.ignoreAvailability=true "$@"
}

# The plugin of sro new: whether its tests ran, and whether it gets Ready with sro dev.
generated_is_ready() {
  local test
  for test in Plugin Contract Monitoring; do
    grep -q 'errors="0".* failures="0"' "$generated"/target/surefire-reports/TEST-*.Nova${test}Test.xml \
      || fail "Nova${test}Test of the project of sro new did not run"
  done
  (cd "$generated" && "$sro" dev -f deploy/special-resource.yaml --nodes deploy/nodes.yaml --plugins target --until-ready \
    --for-seconds 120 --plain --speed 20) > "$work/dev" || fail "the plugin of sro new does not get ready: $(cat "$work/dev")"
  grep -q 'Ready on 2 of 2 nodes' "$work/dev" || fail "the plugin of sro new is not ready on its nodes"
}

# The same by the other way to it, Maven's own: equal files.
archetype_generate() {
  mkdir "$work/archetype"
  (cd "$work/archetype" && maven org.apache.maven.plugins:maven-archetype-plugin:3.4.1:generate -DarchetypeCatalog=internal \
    -DarchetypeGroupId=dev.sro -DarchetypeArtifactId=sro-plugin-archetype "-DarchetypeVersion=$version" -DgroupId=com.nova \
    -DartifactId=generated -Dversion=1.0.0 -Dpackage=com.nova.sro -Dvendor=Nova -Dplugin=nova -Dpci=10ff \
    -Dresource=nova.example/card "-DsroVersion=$version") > "$work/archetype.log" 2>&1 || fail "no archetype: $(cat "$work/archetype.log")"
  diff -r -x target "$generated" "$work/archetype/generated" || fail "mvn archetype:generate does not write what sro new writes"
  echo "outside: mvn archetype:generate writes what sro new writes, $(find "$work/archetype/generated" -type f | wc -l) files"
}

# The project of sro new, built and run once more.
on_jdk25() {
  local jdk ran
  ran=$("${JAVA_HOME:+$JAVA_HOME/bin/}java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p')
  jdk=${SRO_JDK25:-${JAVA_HOME_25_X64:-$(find /usr/lib/jvm -maxdepth 1 -name '*25*' 2> /dev/null | sed -n 1p)}}
  if [ ! -x "$jdk/bin/javac" ]; then
    echo "outside: the project of sro new ran on JDK $ran; not run on JDK 25: no such JDK"
    return
  fi
  rm -r "$generated/target"
  (
    export JAVA_HOME=$jdk
    maven -f "$generated/pom.xml" package || fail "the project of sro new does not build on JDK 25"
    generated_is_ready
  )
  echo "outside: the project of sro new ran on JDK $ran and on JDK $("$jdk/bin/java" -version 2>&1 | sed -n 's/.*version "\([^"]*\)".*/\1/p')"
}

version=$(awk 'match($0, /<version>[^<]+/) { print substr($0, RSTART + 9, RLENGTH - 9); exit }' pom.xml)
sro=$home/sro
projects=$work/projects
. .ci/embedders.sh
release=
clients=$(cut -d' ' -f1-2 <<< "$clients_promised")
while [ $# -gt 0 ]; do
  case "$1 ${2:-}" in
    '--release '*) release=yes ;;
    '--clients all')
      clients="$clients_promised $clients_others"
      shift
      ;;
    *) fail "there is no option $1: none, --release, or --clients all" ;;
  esac
  shift
done
if [ -n "$release" ]; then
  unpack
else
  install pom.xml
  # Benchmarks are not published.
  for module in $(sed -n 's|^ *<module>\(sro-.*\)</module>$|\1|p' pom.xml | grep -v '/release$'); do
    install "$module/pom.xml"
  done
fi

embedder=$projects/embedder
mkdir -p "$embedder/src/main/java/com/example/embedded"
block embedders/embedding.md xml '<project ' > "$embedder/pom.xml"
block embedders/embedding.md java 'class MyOperator ' > "$embedder/src/main/java/com/example/embedded/MyOperator.java"
cat > "$embedder/src/main/java/com/example/embedded/Rights.java" << 'JAVA'
package com.example.embedded;

import dev.sro.core.embed.SpecialResourceOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;

final class Rights {
    public static void main(String[] args) {
        try (KubernetesClient client = new KubernetesClientBuilder().build()) {
            System.out.println(SpecialResourceOperator.builder()
                    .client(client)
                    .plugins(MyOperator.class.getClassLoader())
                    .rights());
        }
    }
}
JAVA

plugin=$projects/plugin
java=src/main/java/com/acme/first
mkdir -p "$plugin/$java" "$plugin/${java/main/test}" "$plugin/${java/java/resources}"
page=vendors/writing-a-plugin.md
block $page xml '<project ' > "$plugin/pom.xml"
block $page java 'class FirstPlugin ' > "$plugin/$java/FirstPlugin.java"
block $page java 'class FirstPluginTest ' > "$plugin/${java/main/test}/FirstPluginTest.java"
block $page yaml "# ${java/java/resources}/driver.yaml" > "$plugin/${java/java/resources}/driver.yaml"

# The project that vendors begin with: what sro new writes, with its own tests.
generated=$projects/generated
"$sro" new "$generated" --vendor Nova --pci 10ff --resource nova.example/card > "$work/new" || fail "sro new writes no project"

# A whole plugin: the same, with what the page puts in its place.
gaudi=$projects/gaudi
page=vendors/gaudi.md
# shellcheck disable=SC2046 # words of a line of the page
"$sro" new "$gaudi" $(sed -n 's|^./sro new ../gaudi-plugin ||p' "docs/$page") > "$work/new" || fail "docs/$page: sro new writes no project"
java=src/main/java/ai/habana/sro
resources=src/main/resources/ai/habana/sro
rm "$gaudi/$resources/driver.yaml"
block $page java 'final class GaudiPlugin' > "$gaudi/$java/GaudiPlugin.java"
for test in Plugin Contract Monitoring; do
  block $page java "class Gaudi${test}Test " > "$gaudi/${java/main/test}/Gaudi${test}Test.java"
done
for file in validation device-plugin exporter; do
  block $page yaml "# $resources/$file.yaml" > "$gaudi/$resources/$file.yaml"
done
block $page dockerfile "# $resources/Dockerfile" > "$gaudi/$resources/Dockerfile"
block $page yaml '# deploy/special-resource.yaml' > "$gaudi/deploy/special-resource.yaml"

allocator=$projects/allocator
mkdir -p "$allocator/src/main/java/com/example/slicing"
block embedders/slicing.md java 'class TenLines ' > "$allocator/src/main/java/com/example/slicing/TenLines.java"
{
  echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
  echo '<groupId>com.example</groupId><artifactId>ten-lines</artifactId><version>1.0.0</version>'
  echo '<properties><maven.compiler.release>17</maven.compiler.release><project.build.sourceEncoding>UTF-8</project.build.sourceEncoding></properties><dependencies>'
  block embedders/slicing.md xml '<artifactId>sro-slicing</artifactId>'
  echo '</dependencies></project>'
} > "$allocator/pom.xml"

# Whoever wants charts alone: no page shows it, as its packages are internal.
charts=$projects/charts
mkdir -p "$charts/src/main/java/com/example/charts"
cat > "$charts/src/main/java/com/example/charts/Steps.java" << 'JAVA'
package com.example.charts;

import dev.sro.core.recipe.chart.Chart;
import dev.sro.core.recipe.chart.ChartLoader;
import dev.sro.core.recipe.source.Registries;
import java.nio.file.Path;

final class Steps {
    public static void main(String[] args) {
        Chart chart = new ChartLoader().fromDirectory("states", Path.of(args[0]));
        System.out.println(chart.label() + " of " + Registries.class.getSimpleName());
    }
}
JAVA
cat > "$charts/pom.xml" << XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>steps</artifactId>
  <version>1.0.0</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>dev.sro</groupId>
      <artifactId>sro-charts</artifactId>
      <version>$version</version>
    </dependency>
  </dependencies>
</project>
XML

embedders=$(embedder_projects "$clients")
cat > "$projects/pom.xml" << XML
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>outside</artifactId>
  <version>1.0.0</version>
  <packaging>pom</packaging>
  <modules>
    <module>embedder</module>
    <module>plugin</module>
    <module>generated</module>
    <module>gaudi</module>
    <module>allocator</module>
    <module>charts</module>
$(sed 's|.*|    <module>&</module>|' <<< "$embedders")
  </modules>
</project>
XML

maven -f "$projects/pom.xml" package org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DincludeScope=runtime \
  || fail "the projects of the pages do not build"

grep -q 'tests="1".* errors="0".* skipped="0".* failures="0"' "$plugin"/target/surefire-reports/TEST-*.xml \
  || fail "the test of docs/vendors/writing-a-plugin.md did not run"
for test in Plugin Contract Monitoring; do
  grep -q 'errors="0".* failures="0"' "$gaudi"/target/surefire-reports/TEST-*.Gaudi${test}Test.xml \
    || fail "Gaudi${test}Test of docs/vendors/gaudi.md did not run"
done
java -cp "$embedder/target/classes:$embedder/target/dependency/*" com.example.embedded.Rights > "$work/rights"
grep -q 'specialresources' "$work/rights" || fail "the embedder's class path is not whole"
java -cp "$allocator/target/classes:$allocator/target/dependency/*" com.example.slicing.TenLines > "$work/granted"
grep -q '^gpu-0 at ' "$work/granted" || fail "the allocator alone does not run"
if find "$allocator/target/dependency" -name '*.jar' | grep -E 'fabric8|kubernetes|pf4j|sro-(api|core)'; then
  fail "whoever wants the allocator alone gets these, too"
fi
java -cp "$charts/target/classes:$charts/target/dependency/*" com.example.charts.Steps sro-core/charts/src/test/resources/charts/states \
  > "$work/steps"
grep -q ' of Registries$' "$work/steps" || fail "charts alone are not read"
if find "$charts/target/dependency" -name '*.jar' | grep -E 'kubernetes-client|httpclient|pf4j|helm|sro-(core|slicing|dra)'; then
  fail "whoever wants charts alone gets these, too"
fi
mkdir "$work/plugins"
cp "$plugin/target/acme-plugin-1.0.0.jar" "$work/plugins"
(cd "$work" && "$sro" plugins --plugins "$work/plugins") > "$work/taken"
grep -q acme "$work/taken" || fail "sro plugins does not take the jar"
(cd "$generated" && "$sro" plan -f deploy/special-resource.yaml --nodes deploy/nodes.yaml --plugins target --assume-built) \
  > "$work/plan" || fail "the plugin of sro new has no plan"
grep -q '+ DaemonSet nova/nova-driver-' "$work/plan" && ! grep -q 'ot shown' "$work/plan" || fail "the plan of the plugin of sro new is not whole"
generated_is_ready
# Nobody has pushed its driver, which is built then.
(cd "$gaudi" && "$sro" dev -f deploy/special-resource.yaml --nodes deploy/nodes.yaml --plugins target --until-ready \
  --image-missing 'registry.example/gaudi/driver*' --for-seconds 120 --plain --speed 20) > "$work/dev" \
  || fail "the plugin of docs/vendors/gaudi.md does not get ready: $(cat "$work/dev")"
grep -q 'gaudi: Ready on 2 of 2 nodes' "$work/dev" || fail "the plugin of docs/vendors/gaudi.md is not ready on its nodes"
archetype_generate
on_jdk25
run_embedders "$clients"
echo "outside: four projects of the documentation, that of sro new, and charts alone, build and run with the artifacts alone"
[ -z "$release" ] || .ci/tutorials.sh
