package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arguments of modprobe. The names of the fields are those of Kernel Module Management.
 *
 * <p>Mutable and not thread-safe: do not change an object that came out of an informer cache.
 *
 * @since 0.1.0
 */
public final class Modprobe extends ResourceValue {
    @JsonPropertyDescription("Name of the module to load; absent with rawArgs.")
    private @Nullable String moduleName;

    @JsonPropertyDescription("Directory in the image that contains lib/modules; /opt where absent.")
    private @Nullable String dirName;

    @JsonPropertyDescription("Parameters of the module, name=value.")
    private @Nullable List<String> parameters;

    @JsonPropertyDescription("Arguments beside the name and the parameters.")
    private @Nullable ModprobeArguments args;

    @JsonPropertyDescription("All arguments, instead of everything else.")
    private @Nullable ModprobeArguments rawArgs;

    @JsonPropertyDescription("Directory in the image with firmware.")
    private @Nullable String firmwarePath;

    @JsonPropertyDescription(
            "Modules that depend on each other although no symbol says so: moduleName first, and what is loaded first"
                    + " last.")
    private @Nullable List<String> modulesLoadingOrder;

    /** Creates an object with no field set. */
    public Modprobe() {}

    /** Returns the name of the module to load; empty when absent. */
    public String getModuleName() {
        return orEmpty(moduleName);
    }

    /** Sets it; null removes it. */
    public void setModuleName(@Nullable String moduleName) {
        this.moduleName = moduleName;
    }

    /** Returns the directory in the image that contains lib/modules; empty when absent. */
    public String getDirName() {
        return orEmpty(dirName);
    }

    /** Sets it; null removes it. */
    public void setDirName(@Nullable String dirName) {
        this.dirName = dirName;
    }

    /** Returns the parameters of the module; empty when absent. */
    public List<String> getParameters() {
        return orEmpty(parameters);
    }

    /** Sets it; null removes it. */
    public void setParameters(@Nullable List<String> parameters) {
        this.parameters = parameters;
    }

    /** Returns the arguments beside the name and the parameters; null when absent. */
    public @Nullable ModprobeArguments getArgs() {
        return args;
    }

    /** Sets it; null removes it. */
    public void setArgs(@Nullable ModprobeArguments args) {
        this.args = args;
    }

    /** Returns all arguments, instead of everything else; null when absent. */
    public @Nullable ModprobeArguments getRawArgs() {
        return rawArgs;
    }

    /** Sets it; null removes it. */
    public void setRawArgs(@Nullable ModprobeArguments rawArgs) {
        this.rawArgs = rawArgs;
    }

    /** Returns the directory in the image with firmware; empty when absent. */
    public String getFirmwarePath() {
        return orEmpty(firmwarePath);
    }

    /** Sets it; null removes it. */
    public void setFirmwarePath(@Nullable String firmwarePath) {
        this.firmwarePath = firmwarePath;
    }

    /** Returns the modules, what is loaded first last; empty when absent. */
    public List<String> getModulesLoadingOrder() {
        return orEmpty(modulesLoadingOrder);
    }

    /** Sets it; null removes it. */
    public void setModulesLoadingOrder(@Nullable List<String> modulesLoadingOrder) {
        this.modulesLoadingOrder = modulesLoadingOrder;
    }
}
