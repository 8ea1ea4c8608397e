# Shared by the scripts of this folder; sourced, not run.
# shellcheck shell=bash disable=SC2034

# The project's root: where the scripts' folder lies.
optimus_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
default_run_dir=${OPTIMUS_RUN_DIR:-$optimus_root/target/local-cluster}
hadoop_lib=$optimus_root/tools/target/hadoop/lib

say() { printf '%s\n' "$*" >&2; }

die() {
  say "$(basename "$0"): $*"
  exit 1
}

usage_error() {
  say "$(basename "$0"): $*"
  say "Try: $(basename "$0") -h"
  exit 2
}

# java_command: prints the java to run; JAVA_HOME wins over the path.
java_command() {
  local java=${JAVA_HOME:+$JAVA_HOME/bin/}java
  command -v "$java" >/dev/null || die "no java found: install a JDK 17 or set JAVA_HOME"
  printf '%s\n' "$java"
}

# ensure_built: builds what the scripts run if it is missing or older than its sources, without tests and checks.
ensure_built() {
  local plugin am newer
  plugin=$(plugin_jar)
  am=$optimus_root/am/target/optimus-am.jar
  if [[ -n $plugin && -f $am && -d $hadoop_lib ]]; then
    newer=$(find "$optimus_root"/{model,protocol,pages,sim,yarn-plugin,am,tools}/{src,pom.xml} \
      "$optimus_root"/{pom.xml,python/optimus_yarn} -newer "$am" -type f ! -name '*.pyc' -print -quit)
    [[ -z $newer ]] && return
  fi
  command -v mvn >/dev/null || die "no mvn found: install Maven 3.8 or newer"
  say "Building (the first time Maven downloads Hadoop and PyTorch: some minutes) ..."
  (cd "$optimus_root" && mvn -q -B -DskipTests -Dspotless.check.skip -Dcheckstyle.skip \
    -pl model,protocol,pages,sim,yarn-plugin,am,tools package) >&2 || die "the build failed: see above"
}

# plugin_jar: prints the path of the scheduler's jar, or nothing if it is not built.
plugin_jar() {
  [[ -d $optimus_root/yarn-plugin/target ]] || return 0
  find "$optimus_root/yarn-plugin/target" -maxdepth 1 -name 'optimus-yarn-plugin-*.jar' \
    ! -name '*-tests.jar' ! -name 'original-*' | head -n 1
}

# listening_ports: prints the TCP ports in use on this machine, one a line.
listening_ports() {
  local hex
  awk 'FNR > 1 && $4 == "0A" { split($2, a, ":"); print a[length(a)] }' /proc/net/tcp /proc/net/tcp6 2>/dev/null |
    sort -u | while read -r hex; do printf '%d\n' "0x$hex"; done
}

# free_ports N: prints N free ports, below the range from which the kernel assigns ports.
free_ports() {
  local wanted=$1 taken port
  taken=" $(listening_ports | tr '\n' ' ')"
  while ((wanted > 0)); do
    port=$((RANDOM % 12000 + 20000))
    [[ $taken == *" $port "* ]] && continue
    taken+="$port "
    printf '%d\n' "$port"
    wanted=$((wanted - 1))
  done
}

# http_get PORT PATH: prints the body of an HTTP answer from this machine; fails without an answer.
http_get() {
  local port=$1 path=$2 line status
  exec 3<>"/dev/tcp/127.0.0.1/$port" || return 1
  printf 'GET %s HTTP/1.0\r\nHost: localhost:%s\r\nAccept: application/json\r\n\r\n' "$path" "$port" >&3
  read -r -t 10 _ status _ <&3 || { exec 3>&-; return 1; }
  while read -r -t 10 line <&3; do [[ ${line%$'\r'} == "" ]] && break; done
  timeout 10 cat <&3
  exec 3>&-
  [[ $status == 200 ]]
} 2>/dev/null

# is_ours PID MARK: whether PID is alive and has MARK on its command line.
is_ours() {
  [[ -r /proc/$1/cmdline ]] && tr '\0' ' ' <"/proc/$1/cmdline" | grep -qF -- "$2"
}
