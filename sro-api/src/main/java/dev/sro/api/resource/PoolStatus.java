package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import org.jspecify.annotations.Nullable;

/**
 * A set of nodes that share kernel, operating system and architecture.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class PoolStatus extends ResourceValue {
    @JsonPropertyDescription("Name of the pool, unique in the special resource.")
    @Required
    private @Nullable String name;

    @JsonPropertyDescription("Kernel release, as uname -r prints it.")
    private @Nullable String kernel;

    @JsonPropertyDescription("Operating system and its version.")
    private @Nullable String os;

    @JsonPropertyDescription("Processor architecture, as in kubernetes.io/arch.")
    private @Nullable String architecture;

    @JsonPropertyDescription("Nodes in the pool.")
    @Min(0) private int nodes;

    @JsonPropertyDescription(
            "Image that the driver comes from; absent while there is none, and where the recipe names it itself.")
    private @Nullable String driverImage;

    @JsonPropertyDescription("Code of why there is no image, or no better one, CamelCase; absent when all is well.")
    private @Nullable String driverReason;

    @JsonPropertyDescription("The same for people, with the image that is waited for.")
    private @Nullable String driverMessage;

    /** Creates an object with no field set. */
    public PoolStatus() {}

    /** Returns the name of the pool, unique in the special resource; empty when absent. */
    public String getName() {
        return orEmpty(name);
    }

    /** Sets it; null removes it. */
    public void setName(@Nullable String name) {
        this.name = name;
    }

    /** Returns the kernel release, as uname -r prints it; null when absent. */
    public @Nullable String getKernel() {
        return kernel;
    }

    /** Sets it; null removes it. */
    public void setKernel(@Nullable String kernel) {
        this.kernel = kernel;
    }

    /** Returns the operating system and its version; null when absent. */
    public @Nullable String getOs() {
        return os;
    }

    /** Sets it; null removes it. */
    public void setOs(@Nullable String os) {
        this.os = os;
    }

    /** Returns the processor architecture, as in kubernetes.io/arch; null when absent. */
    public @Nullable String getArchitecture() {
        return architecture;
    }

    /** Sets it; null removes it. */
    public void setArchitecture(@Nullable String architecture) {
        this.architecture = architecture;
    }

    /** Returns how many nodes are in the pool; 0 when absent. */
    public int getNodes() {
        return nodes;
    }

    /** Sets it. */
    public void setNodes(int nodes) {
        this.nodes = nodes;
    }

    /** Returns the image that the driver comes from; null when absent. */
    public @Nullable String getDriverImage() {
        return driverImage;
    }

    /** Sets it; null removes it. */
    public void setDriverImage(@Nullable String driverImage) {
        this.driverImage = driverImage;
    }

    /** Returns the code of why there is no image, or no better one; null when absent. */
    public @Nullable String getDriverReason() {
        return driverReason;
    }

    /** Sets it; null removes it. */
    public void setDriverReason(@Nullable String driverReason) {
        this.driverReason = driverReason;
    }

    /** Returns the same for people; null when absent. */
    public @Nullable String getDriverMessage() {
        return driverMessage;
    }

    /** Sets it; null removes it. */
    public void setDriverMessage(@Nullable String driverMessage) {
        this.driverMessage = driverMessage;
    }
}
