#!/usr/bin/env bash
# Part of .ci/outside.sh, which sources it: the operators of the pages for embedders, each started as a process of its own against the
# embedded cluster, until NVIDIA's stack is Ready there. Functions alone; they use work, projects, sro, version, block and fail.

# The versions of fabric8's client that docs/embedders/embedding.md names: those that it promises, lowest and highest first, and the others.
clients_promised='7.5.0 7.9.0 7.5.2 7.6.1 7.7.0'
clients_others='7.3.1 7.4.0 8.0.0'

patience=90
seen=0

# Says how long something took that began at $1, in nanoseconds.
seconds_since() {
  awk -v from="$1" -v to="$(date +%s%N)" 'BEGIN { printf "%.1f s", (to - from) / 1e9 }'
}

# The answer of a server of this machine. $1: the method. $2: the port. $3: the path.
http() {
  exec 3<> "/dev/tcp/127.0.0.1/$2" || return 1
  printf '%s %s HTTP/1.0\r\nHost: localhost\r\n\r\n' "$1" "$3" >&3
  cat <&3
  exec 3>&-
}

# Waits until a file has a line with this pattern after the first $seen, for up to $patience seconds, while cluster and operator run.
await_line() {
  local file=$1 pattern=$2 process tries
  for ((tries = 0; tries < patience * 10; tries++)); do
    [ -z "$(tail -n +$((seen + 1)) "$file" | sed -n "/$pattern/p")" ] || return 0
    for process in $cluster ${3:-}; do
      kill -0 "$process" 2> /dev/null || return 1
    done
    sleep 0.1
  done
  return 1
}

# The sources of one project of a page: $1 the page, $2 its class, $3 the folder.
embedder_of_page() {
  local page=$1 class=$2 folder=$3
  mkdir -p "$folder/src/main/java/com/example/embedded" "$folder/src/main/resources"
  block "$page" xml '<project ' > "$folder/pom.xml"
  block "$page" java "class $class " > "$folder/src/main/java/com/example/embedded/$class.java"
  [ "$(grep -c . "$folder/src/main/java/com/example/embedded/$class.java")" -lt 40 ] || fail "docs/$page has 40 lines of Java or more"
}

# The same with a folder of plugins, as the page says it: no plugin is on its class path.
with_plugin_folder() {
  local from=$1 folder=$2
  cp -r "$from" "$folder"
  sed -i 's|\.plugins(.*getClassLoader())|.pluginFolder(java.nio.file.Path.of("plugins"))|' "$folder"/src/main/java/com/example/embedded/*.java
  grep -q pluginFolder "$folder"/src/main/java/com/example/embedded/*.java || fail "$from has no .plugins(...)"
  sed -i "s|<artifactId>my-|<artifactId>folder-my-|; /<dependency>/ { N; N; N; N; /sro-plugins-nvidia/d }" "$folder/pom.xml"
  ! grep -q sro-plugins-nvidia "$folder/pom.xml" || fail "$folder/pom.xml still has the plugin"
}

# The plain operator with all of fabric8 in this version.
with_client() {
  local client=$1 folder=$2
  cp -r "$projects/embedder" "$folder"
  sed -i "s|<artifactId>my-operator<|<artifactId>client-$client<|; /<artifactId>kubernetes-client</ { n; s|<version>.*</version>|<version>$client</version>| }
    0,/^  <dependencies>/s||  <dependencyManagement><dependencies><dependency><groupId>io.fabric8</groupId><artifactId>kubernetes-client-bom</artifactId><version>$client</version><type>pom</type><scope>import</scope></dependency></dependencies></dependencyManagement>\n  <dependencies>|" "$folder/pom.xml"
}

# Writes the projects, and prints the names of their folders. $1: the versions of the client.
embedder_projects() {
  local client
  embedder_of_page embedders/quarkus.md MyQuarkusOperator "$projects/quarkus"
  embedder_of_page embedders/spring-boot.md MySpringOperator "$projects/spring-boot"
  block embedders/spring-boot.md properties 'management.' > "$projects/spring-boot/src/main/resources/application.properties"
  with_plugin_folder "$projects/quarkus" "$projects/quarkus-folder"
  with_plugin_folder "$projects/spring-boot" "$projects/spring-boot-folder"
  for client in $1; do
    with_client "$client" "$projects/client-$client"
  done
  (cd "$projects" && ls -d quarkus* spring-boot* client-*)
}

# One cluster for all of them, since it is slow until it is warm.
start_cluster() {
  seen=0
  "$sro" dev --no-operator -f "$work/special-resource.yaml" --nodes "$work/gpu-nodes.yaml" --write-kubeconfig "$work/kubeconfig" \
    --speed 20 --plain > "$work/cluster" 2>&1 &
  cluster=$!
  await_line "$work/cluster" 'not looked at yet' || fail "no cluster: $(cat "$work/cluster")"
  api=$(sed -nE 's|.*http://127.0.0.1:([0-9]+).*|\1|p' "$work/kubeconfig")
}

stop_cluster() {
  kill "$cluster" 2> /dev/null || true
  wait "$cluster" || true
}

# Runs an operator until NVIDIA's stack is Ready, and it is deleted; then ends it. What was wrong is in $wrong.
# $1: its name. $2: what it logs before its port, or empty. $3: the path of its readiness. The rest: the arguments of java.
run_embedder() {
  local name=$1 port_line=$2 health=$3 run=$work/run/$1 operator begun
  shift 3
  begun=$(date +%s%N)
  mkdir -p "$run/plugins"
  cp "$work/repository/dev/sro/sro-plugins-nvidia/$version"/*.jar "$run/plugins"
  if [[ "$(tail -n 1 "$work/cluster")" == *deleted* ]]; then
    seen=$(wc -l < "$work/cluster")
    touch "$work/special-resource.yaml"
    await_line "$work/cluster" 'not looked at yet' || fail "nothing is applied again: $(cat "$work/cluster")"
  fi
  seen=$(wc -l < "$work/cluster")
  wrong=
  (cd "$run" && exec env KUBECONFIG="$work/kubeconfig" QUARKUS_HTTP_PORT=0 SERVER_PORT=0 java -XX:TieredStopAtLevel=1 "$@") > "$run/log" 2>&1 &
  operator=$!
  await_line "$work/cluster" 'Ready on 1 of 1 nodes' "$operator" || wrong=$(first_error "$run/log")
  if [ -z "$wrong" ]; then
    [ -z "$port_line" ] || await_health "$run" "$port_line" "$health" || wrong="$health says $(tail -n 1 "$run/health")"
    http DELETE "$api" /apis/sro.openshift.io/v1beta1/specialresources/nvidia-gpu > "$run/delete"
    await_line "$work/cluster" ': deleted' "$operator" || wrong="it is not taken away: $(tail -n 1 "$work/cluster")"
  fi
  kill "$operator" 2> /dev/null || true
  wait "$operator" || true
  if [ -z "$wrong" ]; then
    http GET "$api" /apis/coordination.k8s.io/v1/namespaces/default/leases/my-operator > "$run/lease"
    # The plain operator has nothing that closes it when its process is ended.
    [ -z "$port_line" ] || grep -q '"holderIdentity":""' "$run/lease" || wrong="the lease is not given back"
    ! grep -E '\bERROR\b' "$run/log" || wrong="its log has errors"
  fi
  http DELETE "$api" /apis/coordination.k8s.io/v1/namespaces/default/leases/my-operator > /dev/null
  took=$(seconds_since "$begun")
  [ -z "$wrong" ]
}

# Waits until a framework says that its operator is ready, as kubelet would.
await_health() {
  local run=$1 port tries
  port=$(sed -nE "\\|$2[0-9]| { s|.*$2([0-9]+).*|\1|p; q }" "$run/log")
  for ((tries = 0; tries < 50; tries++)); do
    http GET "$port" "$3" > "$run/health" || return 1
    ! grep -q '^HTTP/1.[01] 200' "$run/health" || break
    sleep 0.2
  done
  grep -q '^HTTP/1.[01] 200' "$run/health" && grep -q '"sro"' "$run/health"
}

# Why an operator did not get there: the root of the first exception in its log, or how far it came.
first_error() {
  local root
  root=$(grep -E '^Caused by: |^[a-z0-9.]+\.[A-Za-z]+(Exception|Error)(:|$)' "$1" | awk 'NR == 1 || /^Caused by/ { root = $0; next } { exit } END { print root }')
  root=${root:-$(tail -n 1 "$work/cluster")}
  echo "${root:0:160}"
}

# Runs them all. $1: the versions of the client.
run_embedders() {
  local name client
  block embedders/embedding.md yaml 'kind: Node' > "$work/gpu-nodes.yaml"
  block embedders/embedding.md yaml 'kind: SpecialResource' > "$work/special-resource.yaml"
  start_cluster
  for name in quarkus quarkus-folder spring-boot spring-boot-folder; do
    case "$name" in
      quarkus*) set -- "$1" 'Listening on: http://[^:]*:' /q/health/ready "$projects/$name/target/quarkus-app/quarkus-run.jar" ;;
      *) set -- "$1" 'Tomcat started on port ' /actuator/health/readiness "$(ls "$projects/$name"/target/*my-spring-operator-1.0.0.jar)" ;;
    esac
    run_embedder "$name" "$2" "$3" -jar "$4" || fail "$name does not work: $wrong; $(tail -n 20 "$work/run/$name/log")"
    echo "outside: $name: NVIDIA's stack got Ready and was taken away, and the operator ended, in $took"
  done
  for client in $1; do
    if run_embedder "client-$client" '' '' -cp "$projects/client-$client/target/classes:$projects/client-$client/target/dependency/*" \
      com.example.embedded.MyOperator; then
      echo "outside: fabric8 $client works, $took"
    else
      echo "outside: fabric8 $client fails: $wrong"
      [[ " $clients_promised " != *" $client "* ]] || fail "docs/embedders/embedding.md promises fabric8 $client"
      # Whatever it left there is none of the next one's.
      stop_cluster
      start_cluster
    fi
  done
  stop_cluster
}
