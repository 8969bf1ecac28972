package dev.sro.api.driver;

import dev.sro.api.Checks;
import dev.sro.api.ManifestTemplate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The build of the driver container of a pool. Immutable.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class BuildPlan {

    BuildPlan() {}

    /** The builders that there are. */
    public enum Method {
        /** A Job with a rootless builder. */
        JOB,
        /** A BuildConfig of OpenShift. */
        BUILD_CONFIG,
        /** A Build of Shipwright. */
        SHIPWRIGHT,
        /** Whatever the cluster has, in the order BuildConfig, Shipwright, Job. */
        ANY
    }

    /** The builder. */
    @Value.Default
    public Method method() {
        return Method.ANY;
    }

    /**
     * The Dockerfile as text; empty where it is in a ConfigMap. {@code KERNEL_FULL_VERSION} and {@code KERNEL_VERSION} are build
     * arguments by themselves.
     */
    @Value.Default
    public String dockerfile() {
        return "";
    }

    /** Name of the ConfigMap in the operand namespace whose key {@code dockerfile} is the Dockerfile. */
    public abstract Optional<String> dockerfileConfigMap();

    /** Git repository that is the build context; the context is empty without it. */
    public abstract Optional<String> gitUri();

    /** Branch, tag or commit; the repository's default branch without it. */
    public abstract Optional<String> gitReference();

    /** Directory in the repository that is the build context; its root without it. */
    public abstract Optional<String> gitDirectory();

    /** Name of the Secret of type {@code kubernetes.io/basic-auth} with which the repository is read. */
    public abstract Optional<String> gitSecret();

    /**
     * Build arguments by name. SRO adds {@code KERNEL_VERSION}, {@code KERNEL_FULL_VERSION}, {@code MOD_NAME} and
     * {@code MOD_NAMESPACE}, as Kernel Module Management does, and these win.
     */
    public abstract Map<String, String> arguments();

    /** Names of Secrets in the operand namespace that the build may read, mounted under {@code /run/secrets/<name>}. */
    public abstract List<String> secrets();

    /**
     * Image to build in, which the Dockerfile gets as the build argument {@code BASE_IMAGE}; the driver toolkit of the pool's
     * kernel on OpenShift when {@link #driverToolkit()} is set, and then as {@code DTK_AUTO}, too.
     */
    public abstract Optional<String> baseImage();

    /** Whether the base image is the driver toolkit that matches the kernel of the pool. */
    @Value.Default
    public boolean driverToolkit() {
        return false;
    }

    /** The destination of the image. */
    public abstract String pushTo();

    /** Name of the Secret to push with. */
    public abstract Optional<String> pushSecret();

    /** The security of the connection to the registry of the base image. */
    @Value.Default
    public RegistrySecurity baseImageSecurity() {
        return RegistrySecurity.CHECKED;
    }

    /** The security of the connection to the registry that the image is pushed to. */
    @Value.Default
    public RegistrySecurity pushSecurity() {
        return RegistrySecurity.CHECKED;
    }

    /** Tag of the image of the builder in a Job; the one that SRO brings without it. */
    public abstract Optional<String> builderTag();

    /** Nodes to build on, by label. */
    public abstract Map<String, String> nodeSelector();

    /** Names of Secrets of type {@code kubernetes.io/dockerconfigjson} with which images are read while it builds. */
    public abstract List<String> pullSecrets();

    /** Triggers that start a build from outside; only a BuildConfig knows such. */
    public abstract List<BuildTrigger> triggers();

    /** Limits of the build, by resource: {@code memory: 4Gi}. Those of the operator's configuration where it says nothing. */
    public abstract Map<String, String> limits();

    /** Requests of the build, by resource: {@code cpu: 500m}. Those of the operator's configuration where it says nothing. */
    public abstract Map<String, String> requests();

    /** The time limit of a build; that of the operator's configuration without it. */
    public abstract Optional<Duration> timeout();

    @Value.Check
    void check() {
        Checks.require(
                dockerfile().isBlank() == dockerfileConfigMap().isPresent(),
                "BuildPlan.dockerfile",
                "give the Dockerfile as text or name a ConfigMap with it, one of the two");
        dockerfileConfigMap().ifPresent(name -> Checks.dnsSubdomain("BuildPlan.dockerfileConfigMap", name));
        Checks.image("BuildPlan.pushTo", pushTo());
        baseImage().ifPresent(image -> Checks.image("BuildPlan.baseImage", image));
        Checks.require(
                !(driverToolkit() && baseImage().isPresent()),
                "BuildPlan.baseImage",
                "the driver toolkit is the base image; set driverToolkit or baseImage, not both");
        Checks.require(
                gitReference().isEmpty() || gitUri().isPresent(),
                "BuildPlan.gitUri",
                "a reference needs a repository; set gitUri");
        secrets().forEach(name -> Checks.dnsSubdomain("BuildPlan.secrets", name));
        Checks.require(
                (gitDirectory().isEmpty() && gitSecret().isEmpty()) || gitUri().isPresent(),
                "BuildPlan.gitUri",
                "a directory and a Secret need a repository; set gitUri");
        gitSecret().ifPresent(name -> Checks.dnsSubdomain("BuildPlan.gitSecret", name));
        pullSecrets().forEach(name -> Checks.dnsSubdomain("BuildPlan.pullSecrets", name));
        limits().forEach((name, value) -> Checks.quantity("BuildPlan.limits[" + name + "]", value));
        requests().forEach((name, value) -> Checks.quantity("BuildPlan.requests[" + name + "]", value));
        timeout()
                .ifPresent(time -> Checks.require(
                        time.toSeconds() > 0, "BuildPlan.timeout", time + " is too short; one second or more"));
        arguments()
                .keySet()
                .forEach(name -> Checks.require(
                        name.matches("[A-Za-z_][A-Za-z0-9_]*"),
                        "BuildPlan.arguments",
                        "\"" + name + "\" is no name of a build argument: letters, digits and underscores"));
        pushSecret().ifPresent(name -> Checks.dnsSubdomain("BuildPlan.pushSecret", name));
        nodeSelector().forEach((key, value) -> {
            Checks.qualifiedName("BuildPlan.nodeSelector", key);
            Checks.labelValue("BuildPlan.nodeSelector[" + key + "]", value);
        });
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link BuildPlan}. Not thread-safe. */
    public static final class Builder extends ImmutableBuildPlan.Builder {
        Builder() {}

        /**
         * The Dockerfile that is a file in the plugin's jar.
         *
         * @param anchor a class of the plugin
         * @param path relative to the package of that class, or absolute with a leading slash
         * @throws IllegalArgumentException if there is no such file
         */
        public Builder dockerfile(Class<?> anchor, String path) {
            return dockerfile(((ManifestTemplate.Text) ManifestTemplate.resource(anchor, path)).text());
        }
    }
}
