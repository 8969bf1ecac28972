package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The build of an image of a driver. The names of the fields are those of Kernel Module Management.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverBuild extends ResourceValue {
    @JsonPropertyDescription("ConfigMap whose key dockerfile has the Dockerfile.")
    private @Nullable LocalReference dockerfileConfigMap;

    @JsonPropertyDescription("The Dockerfile itself, instead of a ConfigMap.")
    private @Nullable String dockerfile;

    @JsonPropertyDescription("Build arguments. Those of a kernel mapping go over those of the driver, by name.")
    private @Nullable List<NamedValue> buildArgs;

    @JsonPropertyDescription("Secrets that the build may read, under /run/secrets/NAME.")
    private @Nullable List<LocalReference> secrets;

    @JsonPropertyDescription("How safe the connection to the registry of the base image has to be.")
    private @Nullable RegistryTls baseImageRegistryTLS;

    @JsonPropertyDescription("Which builder a build in a Job uses.")
    private @Nullable KanikoParams kanikoParams;

    @JsonPropertyDescription("Labels of the nodes to build on.")
    private @Nullable Map<String, String> selector;

    @JsonPropertyDescription("What builds: Any (the default: what the cluster has), BuildConfig, Shipwright or Job.")
    @Pattern("^(Any|BuildConfig|Shipwright|Job)$") private @Nullable String method;

    @JsonPropertyDescription(
            "Where the built image goes; the containerImage of the driver where absent. May have templates, too.")
    private @Nullable String containerImage;

    @JsonPropertyDescription("Git repository that is the build context; it is empty without one.")
    private @Nullable GitSource git;

    @JsonPropertyDescription("Directory in the repository that is the build context; its root where absent.")
    private @Nullable String contextDir;

    @JsonPropertyDescription("Secret of type kubernetes.io/basic-auth with which the repository is read.")
    private @Nullable LocalReference sourceSecret;

    @JsonPropertyDescription("Webhooks that start a build. Only a BuildConfig has such.")
    private @Nullable List<BuildWebhook> triggers;

    @JsonPropertyDescription("What a build needs and may use.")
    private @Nullable BuildResources resources;

    @JsonPropertyDescription("Image to build in, which the Dockerfile gets as build argument.")
    private @Nullable String baseImage;

    @JsonPropertyDescription("Whether to build in the driver toolkit of OpenShift that is for the kernel.")
    private @Nullable Boolean driverToolkit;

    @JsonPropertyDescription("Secret to push with.")
    private @Nullable LocalReference pushSecret;

    @JsonPropertyDescription("How long a build may take: 30m, 1h30m. As the operator is configured where absent.")
    @Pattern("^([0-9]+h)?([0-9]+m)?([0-9]+s)?$") private @Nullable String timeout;

    /** Creates an object with no field set. */
    public DriverBuild() {}

    /** Returns the ConfigMap with the Dockerfile; null when absent. */
    public @Nullable LocalReference getDockerfileConfigMap() {
        return dockerfileConfigMap;
    }

    /** Sets it; null removes it. */
    public void setDockerfileConfigMap(@Nullable LocalReference dockerfileConfigMap) {
        this.dockerfileConfigMap = dockerfileConfigMap;
    }

    /** Returns the Dockerfile itself; empty when absent. */
    public String getDockerfile() {
        return orEmpty(dockerfile);
    }

    /** Sets it; null removes it. */
    public void setDockerfile(@Nullable String dockerfile) {
        this.dockerfile = dockerfile;
    }

    /** Returns the build arguments; empty when absent. */
    public List<NamedValue> getBuildArgs() {
        return orEmpty(buildArgs);
    }

    /** Sets it; null removes it. */
    public void setBuildArgs(@Nullable List<NamedValue> buildArgs) {
        this.buildArgs = buildArgs;
    }

    /** Returns the Secrets that the build may read; empty when absent. */
    public List<LocalReference> getSecrets() {
        return orEmpty(secrets);
    }

    /** Sets it; null removes it. */
    public void setSecrets(@Nullable List<LocalReference> secrets) {
        this.secrets = secrets;
    }

    /** Returns how safe the connection to the registry of the base image has to be; null when absent. */
    public @Nullable RegistryTls getBaseImageRegistryTLS() {
        return baseImageRegistryTLS;
    }

    /** Sets it; null removes it. */
    public void setBaseImageRegistryTLS(@Nullable RegistryTls baseImageRegistryTLS) {
        this.baseImageRegistryTLS = baseImageRegistryTLS;
    }

    /** Returns which builder a build in a Job uses; null when absent. */
    public @Nullable KanikoParams getKanikoParams() {
        return kanikoParams;
    }

    /** Sets it; null removes it. */
    public void setKanikoParams(@Nullable KanikoParams kanikoParams) {
        this.kanikoParams = kanikoParams;
    }

    /** Returns the labels of the nodes to build on; empty when absent. */
    public Map<String, String> getSelector() {
        return orEmpty(selector);
    }

    /** Sets it; null removes it. */
    public void setSelector(@Nullable Map<String, String> selector) {
        this.selector = selector;
    }

    /** Returns what builds; empty when absent. */
    public String getMethod() {
        return orEmpty(method);
    }

    /** Sets it; null removes it. */
    public void setMethod(@Nullable String method) {
        this.method = method;
    }

    /** Returns where the built image goes; empty when absent. */
    public String getContainerImage() {
        return orEmpty(containerImage);
    }

    /** Sets it; null removes it. */
    public void setContainerImage(@Nullable String containerImage) {
        this.containerImage = containerImage;
    }

    /** Returns the Git repository that is the build context; null when absent. */
    public @Nullable GitSource getGit() {
        return git;
    }

    /** Sets it; null removes it. */
    public void setGit(@Nullable GitSource git) {
        this.git = git;
    }

    /** Returns the directory in the repository that is the build context; empty when absent. */
    public String getContextDir() {
        return orEmpty(contextDir);
    }

    /** Sets it; null removes it. */
    public void setContextDir(@Nullable String contextDir) {
        this.contextDir = contextDir;
    }

    /** Returns the Secret with which the repository is read; null when absent. */
    public @Nullable LocalReference getSourceSecret() {
        return sourceSecret;
    }

    /** Sets it; null removes it. */
    public void setSourceSecret(@Nullable LocalReference sourceSecret) {
        this.sourceSecret = sourceSecret;
    }

    /** Returns the webhooks that start a build; empty when absent. */
    public List<BuildWebhook> getTriggers() {
        return orEmpty(triggers);
    }

    /** Sets it; null removes it. */
    public void setTriggers(@Nullable List<BuildWebhook> triggers) {
        this.triggers = triggers;
    }

    /** Returns what a build needs and may use; null when absent. */
    public @Nullable BuildResources getResources() {
        return resources;
    }

    /** Sets it; null removes it. */
    public void setResources(@Nullable BuildResources resources) {
        this.resources = resources;
    }

    /** Returns the image to build in; empty when absent. */
    public String getBaseImage() {
        return orEmpty(baseImage);
    }

    /** Sets it; null removes it. */
    public void setBaseImage(@Nullable String baseImage) {
        this.baseImage = baseImage;
    }

    /** Returns whether to build in the driver toolkit of OpenShift that is for the kernel; null when absent. */
    public @Nullable Boolean getDriverToolkit() {
        return driverToolkit;
    }

    /** Sets it; null removes it. */
    public void setDriverToolkit(@Nullable Boolean driverToolkit) {
        this.driverToolkit = driverToolkit;
    }

    /** Returns the Secret to push with; null when absent. */
    public @Nullable LocalReference getPushSecret() {
        return pushSecret;
    }

    /** Sets it; null removes it. */
    public void setPushSecret(@Nullable LocalReference pushSecret) {
        this.pushSecret = pushSecret;
    }

    /** Returns how long a build may take; empty when absent. */
    public String getTimeout() {
        return orEmpty(timeout);
    }

    /** Sets it; null removes it. */
    public void setTimeout(@Nullable String timeout) {
        this.timeout = timeout;
    }
}
