package dev.sro.agent;

import dev.sro.agent.cdi.DriverPlace;
import dev.sro.core.dra.NodeMarks;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What the agent is told. Immutable.
 *
 * @param node name of this node
 * @param driver name under which devices are published
 * @param emulated file that says which devices the nodes are to have; else they are NVIDIA's
 * @param driverPlace where the driver of NVIDIA's GPUs is installed
 * @param kubelet directory of kubelet
 * @param state directory of the checkpoint
 * @param cdi directory of CDI specifications
 * @param bootId file with the id of this boot
 * @param api address of the API server
 * @param token file with the token for it
 * @param authority file with the certificates that it is checked with
 * @param podUid of the agent's pod, where two run side by side in an update
 * @param metrics where {@code /metrics} is served; nowhere if empty
 * @param interval between two looks at everything
 * @param lossClasses whether loss classes are kept true though no claim asks by them
 * @param authoritative whether devices are tainted, so that SRO's own allocator alone gives them
 * @param offer how slices are offered where the Node does not say
 * @param dasNames whether device plugins have DAS's names of resources, and not NVIDIA's
 * @param inventory namespace of the node's NodeAccelerator, which is there while device plugins offer its slices
 * @param uninstall whether to take the node's ResourceSlices away, and nothing else
 */
record AgentOptions(
        String node,
        String driver,
        Optional<Path> emulated,
        DriverPlace driverPlace,
        Path kubelet,
        Path state,
        Path cdi,
        Path bootId,
        URI api,
        Optional<Path> token,
        Optional<Path> authority,
        Optional<String> podUid,
        Optional<String> metrics,
        Duration interval,
        boolean lossClasses,
        boolean authoritative,
        NodeMarks.Offer offer,
        boolean dasNames,
        String inventory,
        boolean uninstall) {
    static final String USAGE = """
        Usage: sro-agent --node NAME [--emulated FILE] [options]
          --node NAME         name of this node (or NODE_NAME in the environment)
          --driver NAME       name under which devices are published (slices.sro.dev)
          --emulated FILE     devices that are not there, as this file says
          --driver-root DIR   where NVIDIA's driver is installed (/)
          --driver-root-on-host DIR the same on the host, as container runtimes see it (the same path; in a pod it has to be said)
          --driver-ready FILE says both: DRIVER_ROOT_CTR_PATH=DIR and NVIDIA_DRIVER_ROOT=DIR, as NVIDIA's validator leaves it
          --host-root DIR     the host's root, to look for nvidia-cdi-hook (--driver-root where that is the host's)
          --cdi-hook FILE     where it is on the host, looked at before the usual places; none: do without
          --kubelet DIR       kubelet's directory (/var/lib/kubelet)
          --state DIR         where the checkpoint is kept (DIR of kubelet/plugins/NAME)
          --cdi DIR           where CDI specifications go (/var/run/cdi)
          --boot-id FILE      the id of this boot (/proc/sys/kernel/random/boot_id)
          --api URL           the API server (that of the pod's service account)
          --token FILE        token for it (that of the pod's service account)
          --ca FILE           certificates that it is checked with (likewise)
          --pod-uid UID       where the old and the new pod of an update run side by side
          --metrics HOST:PORT where /metrics, /healthz and /readyz are served (nowhere)
          --interval SECONDS  between two looks at everything (300)
          --loss-classes WHEN kept true always, or while claims ask by them (asked)
          --allocator WHO     gives devices to claims: the scheduler, or sro slices allocator as sro (scheduler)
          --offer HOW         to claims, or by device-plugin, where the Node does not say (claims)
          --resource-names OF resources of device plugins as nvidia or das calls them (nvidia)
          --inventory NAMESPACE where the NodeAccelerator goes (the pod's own)
          --uninstall yes     takes the node's ResourceSlices away, and ends
        """;

    private static final Path ACCOUNT = Path.of("/var/run/secrets/kubernetes.io/serviceaccount");
    private static final String DRIVER_ROOT = "DRIVER_ROOT_CTR_PATH=";
    private static final String DRIVER_ROOT_ON_HOST = "NVIDIA_DRIVER_ROOT=";
    private static final Path ROOT = Path.of("/");
    private static final String IN_POD = "KUBERNETES_SERVICE_HOST";
    private static final int LEAST_INTERVAL = 1;
    private static final int MOST_INTERVAL = 86_400;

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException that says what is wrong
     */
    static AgentOptions parse(String[] arguments, Map<String, String> environment) {
        Map<String, String> given = new TreeMap<>();
        for (int i = 0; i < arguments.length; i += 2) {
            if (!arguments[i].startsWith("--") || !USAGE.contains("  " + arguments[i] + " ")) {
                throw new IllegalArgumentException("there is no option " + arguments[i] + "\n" + USAGE);
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[i] + " needs a value\n" + USAGE);
            }
            given.put(arguments[i], arguments[i + 1]);
        }
        String node = value(given, "--node")
                .or(() -> value(environment, "NODE_NAME"))
                .orElseThrow(() -> new IllegalArgumentException("--node is missing\n" + USAGE));
        String driver = value(given, "--driver").orElse("slices.sro.dev");
        Path kubelet = path(given, "--kubelet").orElse(Path.of("/var/lib/kubelet"));
        return new AgentOptions(
                node,
                driver,
                path(given, "--emulated"),
                driverPlace(given, environment.containsKey(IN_POD)),
                kubelet,
                path(given, "--state").orElse(kubelet.resolve("plugins").resolve(driver)),
                path(given, "--cdi").orElse(Path.of("/var/run/cdi")),
                path(given, "--boot-id").orElse(Path.of("/proc/sys/kernel/random/boot_id")),
                value(given, "--api").map(URI::create).orElseGet(() -> inCluster(environment)),
                given.containsKey("--api") ? path(given, "--token") : Optional.of(ACCOUNT.resolve("token")),
                given.containsKey("--api") ? path(given, "--ca") : Optional.of(ACCOUNT.resolve("ca.crt")),
                value(given, "--pod-uid").or(() -> value(environment, "POD_UID")),
                value(given, "--metrics").map(AgentOptions::address),
                value(given, "--interval").map(AgentOptions::seconds).orElse(Duration.ofMinutes(5)),
                value(given, "--loss-classes").map(AgentOptions::always).orElse(false),
                value(given, "--allocator").map(AgentOptions::sro).orElse(false),
                value(given, "--offer").map(AgentOptions::offer).orElse(NodeMarks.Offer.CLAIMS),
                value(given, "--resource-names").map(AgentOptions::das).orElse(false),
                value(given, "--inventory").orElseGet(AgentOptions::ownNamespace),
                value(given, "--uninstall").map(AgentOptions::yes).orElse(false));
    }

    private static String ownNamespace() {
        try {
            return Files.readString(ACCOUNT.resolve("namespace")).strip();
        } catch (IOException e) {
            // No pod: where its installation puts it.
            return "sro-agent";
        }
    }

    /** Where NVIDIA's driver is installed, as mounted here. */
    Path driverRoot() {
        return driverPlace.root();
    }

    private static DriverPlace driverPlace(Map<String, String> given, boolean pod) {
        Optional<Path> named = path(given, "--driver-root");
        Optional<Path> ready = path(given, "--driver-ready").filter(file -> named.isEmpty());
        Path root = named.or(() -> ready.map(file -> installed(file, DRIVER_ROOT, "--driver-root")))
                .orElse(ROOT);
        Path onHost = path(given, "--driver-root-on-host")
                .or(() -> ready.map(file -> installed(file, DRIVER_ROOT_ON_HOST, "--driver-root-on-host")))
                .orElse(root);
        if (pod && named.isPresent() && !root.equals(ROOT) && !given.containsKey("--driver-root-on-host")) {
            throw new IllegalArgumentException("--driver-root " + root + " is a path in this container; say by"
                    + " --driver-root-on-host what it is on the host (/, or /run/nvidia/driver of a driver container), as"
                    + " containers get the driver's libraries from there");
        }
        Optional<Path> usual = pod ? Optional.empty() : Optional.of(ROOT);
        Optional<Path> host = path(given, "--host-root").or(() -> onHost.equals(ROOT) ? Optional.of(root) : usual);
        return DriverPlace.of(root, onHost, host, value(given, "--cdi-hook"));
    }

    private static Path installed(Path ready, String key, String option) {
        try {
            return Files.readAllLines(ready).stream()
                    .filter(line -> line.startsWith(key))
                    .map(line -> Path.of(line.substring(key.length()).strip()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "--driver-ready " + ready + " has no line " + key + "DIR; name it by " + option));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--driver-ready " + ready + " cannot be read (" + e + "); the driver is not ready, or name its"
                            + " root by --driver-root",
                    e);
        }
    }

    private static Duration seconds(String text) {
        try {
            int seconds = Integer.parseInt(text);
            if (seconds >= LEAST_INTERVAL && seconds <= MOST_INTERVAL) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw new IllegalArgumentException(
                "--interval " + text + " is not " + LEAST_INTERVAL + " to " + MOST_INTERVAL + " seconds");
    }

    private static String address(String text) {
        if (text.matches("([^:]+|\\[[0-9a-f:]+\\]):[0-9]{1,5}")) {
            return text;
        }
        throw new IllegalArgumentException("--metrics " + text + " is not one such as 0.0.0.0:8081");
    }

    private static boolean always(String text) {
        if (text.equals("always") || text.equals("asked")) {
            return text.equals("always");
        }
        throw new IllegalArgumentException("--loss-classes " + text + " is neither always nor asked");
    }

    private static boolean sro(String text) {
        if (text.equals("sro") || text.equals("scheduler")) {
            return text.equals("sro");
        }
        throw new IllegalArgumentException("--allocator " + text + " is neither scheduler nor sro");
    }

    private static NodeMarks.Offer offer(String text) {
        return NodeMarks.Offer.of(text)
                .orElseThrow(
                        () -> new IllegalArgumentException("--offer " + text + " is neither claims nor device-plugin"));
    }

    private static boolean das(String text) {
        if (text.equals("das") || text.equals("nvidia")) {
            return text.equals("das");
        }
        throw new IllegalArgumentException("--resource-names " + text + " is neither nvidia nor das");
    }

    private static boolean yes(String text) {
        if (text.equals("yes") || text.equals("no")) {
            return text.equals("yes");
        }
        throw new IllegalArgumentException("--uninstall " + text + " is neither yes nor no");
    }

    private static URI inCluster(Map<String, String> environment) {
        String host = environment.get(IN_POD);
        if (host == null) {
            throw new IllegalArgumentException("this is no pod (KUBERNETES_SERVICE_HOST is not set): --api is missing");
        }
        String port = environment.getOrDefault("KUBERNETES_SERVICE_PORT", "443");
        return URI.create("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    }

    private static Optional<String> value(Map<String, String> from, String name) {
        return Optional.ofNullable(from.get(name)).filter(text -> !text.isBlank());
    }

    private static Optional<Path> path(Map<String, String> from, String name) {
        return value(from, name).map(Path::of);
    }
}
