package dev.sro.core.build;

import static dev.sro.core.model.TreeLiterals.map;

import dev.sro.api.ProxySettings;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.core.model.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The container that builds without OpenShift, with what it needs in its pod: the same in a Job and in a strategy of Shipwright.
 * Lives for one step.
 */
final class BuilderPod {

    private static final String FILES = "/sro";
    private static final String DOCKERFILE = "Dockerfile";
    private static final String DAEMON = "buildkitd.toml";
    private static final String LOGINS = "/sro-logins";
    private static final String GIT_SECRET = "/sro-git";
    private static final int BUILDKIT_USER = 1000;

    private final BuildStep step;
    private final BuildPlan plan;
    private final BuildSettings settings;
    private final boolean buildkit;
    private final List<Object> mounts = new ArrayList<>();
    private final List<Object> volumes = new ArrayList<>();
    private final Map<String, String> environment = new TreeMap<>();
    private final List<Object> secretEnvironment = new ArrayList<>();
    private final Map<String, String> arguments = new TreeMap<>();
    private final String name;

    /**
     * @param name of the ConfigMap with the files
     */
    BuilderPod(BuildStep step, String name, BuildSettings settings, ProxySettings proxy) {
        this.step = step;
        this.plan = step.plan();
        this.settings = settings;
        this.name = name;
        this.buildkit = settings.tool() == BuildSettings.Tool.BUILDKIT;
        arguments.putAll(plan.arguments());
        proxy(proxy);
        volume("files", "configMap", map("name", name), FILES);
        logins();
        for (String secret : plan.secrets()) {
            volume(BuildConfigs.volumeName(secret), "secret", map("secretName", secret), Dockerfiles.SECRETS + secret);
        }
    }

    /** The ConfigMap with the Dockerfile. */
    KubeObject files(int attempt) {
        Map<String, Object> tree = BuildTrees.object("v1", "ConfigMap", step, name, attempt);
        Map<String, Object> data = new TreeMap<>();
        data.put(DOCKERFILE, buildkit ? Dockerfiles.withSecrets(plan.dockerfile(), plan.secrets()) : plan.dockerfile());
        String daemon = daemon();
        if (!daemon.isEmpty()) {
            data.put(DAEMON, daemon);
        }
        tree.put("data", data);
        return BuildTrees.frozen(tree);
    }

    /** The container. Call before {@link #volumes}. */
    Map<String, Object> container() {
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("name", "build");
        container.put("image", settings.builderImage(plan.builderTag()));
        List<String> words = buildkit ? buildkit() : kaniko();
        container.put("command", List.of(buildkit ? "buildctl-daemonless.sh" : "/kaniko/executor"));
        container.put("args", words);
        List<Object> all = BuildTrees.nameValues(environment);
        all.addAll(secretEnvironment);
        if (!all.isEmpty()) {
            container.put("env", all);
        }
        container.put("resources", BuildTrees.resources(step, settings.limits(), settings.requests()));
        container.put("securityContext", buildkit ? rootless() : rootInside());
        container.put("volumeMounts", mounts);
        return container;
    }

    List<Object> volumes() {
        return volumes;
    }

    private void proxy(ProxySettings proxy) {
        Map<String, String> variables = new TreeMap<>();
        variables.put("HTTP_PROXY", proxy.httpProxy());
        variables.put("HTTPS_PROXY", proxy.httpsProxy());
        variables.put("NO_PROXY", proxy.noProxy());
        variables.values().removeIf(String::isEmpty);
        environment.putAll(variables);
        variables.forEach(arguments::putIfAbsent);
    }

    private void volume(String volume, String source, Map<String, Object> content, String path) {
        volumes.add(map("name", volume, source, content));
        mounts.add(map("name", volume, "mountPath", path, "readOnly", true));
    }

    /** A builder knows one file with logins: that of the Secret to push with, or of the first to pull with. */
    private void logins() {
        Optional<String> secret =
                plan.pushSecret().or(() -> plan.pullSecrets().stream().findFirst());
        secret.ifPresent(login -> volume(
                "logins",
                "secret",
                map("secretName", login, "items", List.of(map("key", ".dockerconfigjson", "path", "config.json"))),
                LOGINS));
        if (secret.isPresent()) {
            environment.put("DOCKER_CONFIG", LOGINS);
        }
    }

    private List<String> buildkit() {
        List<String> words = new ArrayList<>();
        words.add("build");
        words.add("--progress=plain");
        words.add("--frontend=dockerfile.v0");
        words.add("--local=dockerfile=" + FILES);
        words.add("--opt=filename=" + DOCKERFILE);
        if (plan.gitUri().isPresent()) {
            words.add("--opt=context=" + buildkitContext(plan.gitUri().get()));
            // Without it the Dockerfile would be looked for in the repository.
            words.add("--opt=dockerfilekey=dockerfile");
        } else {
            volumes.add(map("name", "empty", "emptyDir", map()));
            mounts.add(map("name", "empty", "mountPath", "/sro-context"));
            words.add("--local=context=/sro-context");
        }
        arguments.forEach((argument, value) -> words.add("--opt=build-arg:" + argument + "=" + value));
        for (String secret : plan.secrets()) {
            String context = Dockerfiles.context(secret);
            words.add("--local=" + context + "=" + Dockerfiles.SECRETS + secret);
            words.add("--opt=context:" + context + "=local:" + context);
        }
        plan.gitSecret().ifPresent(secret -> {
            volume("git", "secret", map("secretName", secret), GIT_SECRET);
            words.add("--secret=id=GIT_AUTH_TOKEN,src=" + GIT_SECRET + "/password");
        });
        words.add("--output=type=image,name=" + step.image() + ",push=true"
                + (plan.pushSecurity() == RegistrySecurity.PLAIN ? ",registry.insecure=true" : ""));
        // Ten tries are the default: a daemon on a slow node needs longer to come up.
        environment.put("BUILDCTL_CONNECT_RETRIES_MAX", "100");
        environment.put(
                "BUILDKITD_FLAGS",
                "--oci-worker-no-process-sandbox" + (daemon().isEmpty() ? "" : " --config=" + FILES + "/" + DAEMON));
        volumes.add(map("name", "cache", "emptyDir", map()));
        mounts.add(map("name", "cache", "mountPath", "/home/user/.local/share/buildkit"));
        return words;
    }

    /** BuildKit takes an address for a repository only if it ends like one. */
    private String buildkitContext(String uri) {
        boolean web = uri.startsWith("https://") || uri.startsWith("http://");
        String whole = web && !uri.endsWith(".git") ? uri + ".git" : uri;
        String fragment = plan.gitReference().orElse("")
                + plan.gitDirectory().map(directory -> ":" + directory).orElse("");
        return fragment.isEmpty() ? whole : whole + "#" + fragment;
    }

    private List<String> kaniko() {
        List<String> words = new ArrayList<>();
        words.add("--dockerfile=" + FILES + "/" + DOCKERFILE);
        words.add("--context=" + plan.gitUri().map(this::kanikoContext).orElse("dir://" + FILES));
        plan.gitDirectory().ifPresent(directory -> words.add("--context-sub-path=" + directory));
        arguments.forEach((argument, value) -> words.add("--build-arg=" + argument + "=" + value));
        words.add("--destination=" + step.image());
        if (plan.pushSecurity() == RegistrySecurity.PLAIN) {
            words.add("--insecure");
        }
        if (plan.pushSecurity() != RegistrySecurity.CHECKED) {
            words.add("--skip-tls-verify");
        }
        if (plan.baseImageSecurity() == RegistrySecurity.PLAIN) {
            words.add("--insecure-pull");
        }
        if (plan.baseImageSecurity() != RegistrySecurity.CHECKED) {
            words.add("--skip-tls-verify-pull");
        }
        plan.gitSecret().ifPresent(secret -> {
            secretEnvironment.add(fromSecret("GIT_USERNAME", secret, "username"));
            secretEnvironment.add(fromSecret("GIT_PASSWORD", secret, "password"));
        });
        return words;
    }

    /** kaniko wants to be told what kind of reference it is; a word alone is a branch, a hash a commit. */
    private String kanikoContext(String uri) {
        int scheme = uri.indexOf("://");
        String rest = scheme < 0 ? uri : uri.substring(scheme + 3);
        if (uri.startsWith("http://")) {
            environment.put("GIT_PULL_METHOD", "http");
        }
        return "git://" + rest
                + plan.gitReference()
                        .map(reference -> "#"
                                + (reference.startsWith("refs/") || reference.matches("[0-9a-f]{40}")
                                        ? reference
                                        : "refs/heads/" + reference))
                        .orElse("");
    }

    private static Map<String, Object> fromSecret(String variable, String secret, String key) {
        return map("name", variable, "valueFrom", map("secretKeyRef", map("name", secret, "key", key)));
    }

    /** A rootless builder makes user namespaces of its own, which the default profiles forbid. */
    private static Map<String, Object> rootless() {
        return map(
                "runAsUser",
                BUILDKIT_USER,
                "runAsGroup",
                BUILDKIT_USER,
                "runAsNonRoot",
                true,
                "seccompProfile",
                map("type", "Unconfined"),
                "appArmorProfile",
                map("type", "Unconfined"));
    }

    /** It unpacks images over its own file system, and so has to be root there; more than that it need not be. */
    private static Map<String, Object> rootInside() {
        return map(
                "runAsUser",
                0,
                "allowPrivilegeEscalation",
                false,
                "seccompProfile",
                map("type", "RuntimeDefault"),
                "capabilities",
                map(
                        "drop",
                        List.of("ALL"),
                        "add",
                        List.of("CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "SETFCAP", "SETGID", "SETUID")));
    }

    /** How BuildKit talks to registries; empty when to all by HTTPS with a certificate that is checked. */
    private String daemon() {
        if (!buildkit) {
            return "";
        }
        Map<String, Set<String>> registries = new TreeMap<>();
        note(registries, step.image(), plan.pushSecurity());
        plan.baseImage().ifPresent(image -> note(registries, image, plan.baseImageSecurity()));
        for (String argument : List.of("UNSIGNED_IMAGE", "SIGN_IMAGE")) {
            String image = plan.arguments().get(argument);
            if (step.kind() == BuildStep.Kind.SIGN && image != null) {
                note(registries, image, plan.baseImageSecurity());
            }
        }
        StringBuilder text = new StringBuilder();
        registries.forEach((host, lines) -> {
            text.append("[registry.\"").append(host).append("\"]\n");
            lines.forEach(line -> text.append(line).append('\n'));
        });
        return text.toString();
    }

    private static void note(Map<String, Set<String>> registries, String image, RegistrySecurity security) {
        int slash = image.indexOf('/');
        String host = slash < 0 ? "" : image.substring(0, slash);
        if (host.isEmpty() || security == RegistrySecurity.CHECKED) {
            return;
        }
        Set<String> lines = registries.computeIfAbsent(host, unused -> new LinkedHashSet<>());
        if (security == RegistrySecurity.PLAIN) {
            lines.add("  http = true");
        }
        lines.add("  insecure = true");
    }
}
