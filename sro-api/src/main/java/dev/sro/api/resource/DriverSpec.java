package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The image of the driver for each kernel, and its build, signing and loading. The names that Kernel Module Management
 * has in {@code spec.moduleLoader.container} mean the same here.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class DriverSpec extends ResourceValue {
    @JsonPropertyDescription("Version of the driver; sha256:… for a digest.")
    private @Nullable String version;

    @JsonPropertyDescription(
            "Branch of the driver that images with modules are published for: 550. The major of the version where"
                    + " absent.")
    private @Nullable String branch;

    @JsonPropertyDescription("The image, with tag or digest. May have templates: ${KERNEL_FULL_VERSION}.")
    private @Nullable String containerImage;

    @JsonPropertyDescription("Always, IfNotPresent or Never.")
    @Pattern("^(Always|IfNotPresent|Never)$") private @Nullable String imagePullPolicy;

    @JsonPropertyDescription("What is different for some kernels. The first that fits counts, and one has to.")
    private @Nullable List<KernelMapping> kernelMappings;

    @JsonPropertyDescription(
            "Repository of the images without tag, where tags are made by rules instead of containerImage.")
    private @Nullable String repository;

    @JsonPropertyDescription("How tags are made.")
    private @Nullable DriverTags tags;

    @JsonPropertyDescription(
            "From where the image may come, in this order. Default: PrebuiltThenBuild where there is a build,"
                    + " otherwise Prebuilt.")
    @Pattern(
            "^(Prebuilt|Build|CompileOnNode|PrebuiltThenBuild|PrebuiltThenCompileOnNode|BuildThenCompileOnNode|PrebuiltThenBuildThenCompileOnNode)$")
    private @Nullable String imagePolicy;

    @JsonPropertyDescription("Secrets to pull the image with.")
    private @Nullable List<LocalReference> pullSecrets;

    @JsonPropertyDescription("One such Secret, to pull and to push with.")
    private @Nullable LocalReference imageRepoSecret;

    @JsonPropertyDescription("How safe the connection to the registry has to be.")
    private @Nullable RegistryTls registryTLS;

    @JsonPropertyDescription("Whether nodes keep the image that they have until a better one exists. Default: true.")
    private @Nullable Boolean keepCurrentUntilAvailable;

    @JsonPropertyDescription(
            "How often the registry is asked again for an image that is missing: 5m. 30s or more; where absent, less"
                    + " and less often.")
    @Pattern("^([0-9]+h)?([0-9]+m)?([0-9]+s)?$") private @Nullable String pollEvery;

    @JsonPropertyDescription("Whether images are named by digest, as the tag was when it was first seen.")
    private @Nullable Boolean pinDigest;

    @JsonPropertyDescription("Whether an image has to have modules for the kernel to be used.")
    private @Nullable Boolean verifyKernel;

    @JsonPropertyDescription("How the image is built where it is missing.")
    private @Nullable DriverBuild build;

    @JsonPropertyDescription("How modules are signed.")
    private @Nullable DriverSign sign;

    @JsonPropertyDescription("What is loaded; absent where the recipe does that.")
    private @Nullable Modprobe modprobe;

    @JsonPropertyDescription(
            "Who loads: DriverDaemonSet (the default), WorkerPod, KmmModule, HostProvided or OwnStates.")
    @Pattern("^(DriverDaemonSet|WorkerPod|KmmModule|HostProvided|OwnStates)$") private @Nullable String loader;

    @JsonPropertyDescription("Modules of the kernel that are unloaded first.")
    private @Nullable List<String> inTreeModulesToRemove;

    @JsonPropertyDescription("One such module. Use inTreeModulesToRemove.")
    private @Nullable String inTreeModuleToRemove;

    /** Creates an object with no field set. */
    public DriverSpec() {}

    /** Returns the version of the driver; empty when absent. */
    public String getVersion() {
        return orEmpty(version);
    }

    /** Sets it; null removes it. */
    public void setVersion(@Nullable String version) {
        this.version = version;
    }

    /** Returns the branch of the driver; empty when absent. */
    public String getBranch() {
        return orEmpty(branch);
    }

    /** Sets it; null removes it. */
    public void setBranch(@Nullable String branch) {
        this.branch = branch;
    }

    /** Returns the image; empty when absent. */
    public String getContainerImage() {
        return orEmpty(containerImage);
    }

    /** Sets it; null removes it. */
    public void setContainerImage(@Nullable String containerImage) {
        this.containerImage = containerImage;
    }

    /** Returns when the image is pulled; empty when absent. */
    public String getImagePullPolicy() {
        return orEmpty(imagePullPolicy);
    }

    /** Sets it; null removes it. */
    public void setImagePullPolicy(@Nullable String imagePullPolicy) {
        this.imagePullPolicy = imagePullPolicy;
    }

    /** Returns what is different for some kernels; empty when absent. */
    public List<KernelMapping> getKernelMappings() {
        return orEmpty(kernelMappings);
    }

    /** Sets it; null removes it. */
    public void setKernelMappings(@Nullable List<KernelMapping> kernelMappings) {
        this.kernelMappings = kernelMappings;
    }

    /** Returns the repository of the images; empty when absent. */
    public String getRepository() {
        return orEmpty(repository);
    }

    /** Sets it; null removes it. */
    public void setRepository(@Nullable String repository) {
        this.repository = repository;
    }

    /** Returns how tags are made; null when absent. */
    public @Nullable DriverTags getTags() {
        return tags;
    }

    /** Sets it; null removes it. */
    public void setTags(@Nullable DriverTags tags) {
        this.tags = tags;
    }

    /** Returns from where the image may come; empty when absent. */
    public String getImagePolicy() {
        return orEmpty(imagePolicy);
    }

    /** Sets it; null removes it. */
    public void setImagePolicy(@Nullable String imagePolicy) {
        this.imagePolicy = imagePolicy;
    }

    /** Returns the Secrets to pull the image with; empty when absent. */
    public List<LocalReference> getPullSecrets() {
        return orEmpty(pullSecrets);
    }

    /** Sets it; null removes it. */
    public void setPullSecrets(@Nullable List<LocalReference> pullSecrets) {
        this.pullSecrets = pullSecrets;
    }

    /** Returns one such Secret; null when absent. */
    public @Nullable LocalReference getImageRepoSecret() {
        return imageRepoSecret;
    }

    /** Sets it; null removes it. */
    public void setImageRepoSecret(@Nullable LocalReference imageRepoSecret) {
        this.imageRepoSecret = imageRepoSecret;
    }

    /** Returns how safe the connection to the registry has to be; null when absent. */
    public @Nullable RegistryTls getRegistryTLS() {
        return registryTLS;
    }

    /** Sets it; null removes it. */
    public void setRegistryTLS(@Nullable RegistryTls registryTLS) {
        this.registryTLS = registryTLS;
    }

    /** Returns whether nodes keep the image that they have until a better one exists; null when absent. */
    public @Nullable Boolean getKeepCurrentUntilAvailable() {
        return keepCurrentUntilAvailable;
    }

    /** Sets it; null removes it. */
    public void setKeepCurrentUntilAvailable(@Nullable Boolean keepCurrentUntilAvailable) {
        this.keepCurrentUntilAvailable = keepCurrentUntilAvailable;
    }

    /** Returns how often the registry is asked again; empty when absent. */
    public String getPollEvery() {
        return orEmpty(pollEvery);
    }

    /** Sets it; null removes it. */
    public void setPollEvery(@Nullable String pollEvery) {
        this.pollEvery = pollEvery;
    }

    /** Returns whether images are named by digest; null when absent. */
    public @Nullable Boolean getPinDigest() {
        return pinDigest;
    }

    /** Sets it; null removes it. */
    public void setPinDigest(@Nullable Boolean pinDigest) {
        this.pinDigest = pinDigest;
    }

    /** Returns whether an image has to have modules for the kernel; null when absent. */
    public @Nullable Boolean getVerifyKernel() {
        return verifyKernel;
    }

    /** Sets it; null removes it. */
    public void setVerifyKernel(@Nullable Boolean verifyKernel) {
        this.verifyKernel = verifyKernel;
    }

    /** Returns how the image is built; null when absent. */
    public @Nullable DriverBuild getBuild() {
        return build;
    }

    /** Sets it; null removes it. */
    public void setBuild(@Nullable DriverBuild build) {
        this.build = build;
    }

    /** Returns how modules are signed; null when absent. */
    public @Nullable DriverSign getSign() {
        return sign;
    }

    /** Sets it; null removes it. */
    public void setSign(@Nullable DriverSign sign) {
        this.sign = sign;
    }

    /** Returns what is loaded; null when absent. */
    public @Nullable Modprobe getModprobe() {
        return modprobe;
    }

    /** Sets it; null removes it. */
    public void setModprobe(@Nullable Modprobe modprobe) {
        this.modprobe = modprobe;
    }

    /** Returns who loads; empty when absent. */
    public String getLoader() {
        return orEmpty(loader);
    }

    /** Sets it; null removes it. */
    public void setLoader(@Nullable String loader) {
        this.loader = loader;
    }

    /** Returns the modules of the kernel that are unloaded first; null when absent. */
    public @Nullable List<String> getInTreeModulesToRemove() {
        return inTreeModulesToRemove;
    }

    /** Sets it; null removes it. */
    public void setInTreeModulesToRemove(@Nullable List<String> inTreeModulesToRemove) {
        this.inTreeModulesToRemove = inTreeModulesToRemove;
    }

    /** Returns one such module; empty when absent. */
    public String getInTreeModuleToRemove() {
        return orEmpty(inTreeModuleToRemove);
    }

    /** Sets it; null removes it. */
    public void setInTreeModuleToRemove(@Nullable String inTreeModuleToRemove) {
        this.inTreeModuleToRemove = inTreeModuleToRemove;
    }
}
