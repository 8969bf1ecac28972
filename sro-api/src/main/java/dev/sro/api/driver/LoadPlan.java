package dev.sro.api.driver;

import dev.sro.api.Checks;
import dev.sro.api.NodeBarrier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * The modules that are loaded on the nodes of a pool, in their order, and the conditions that the host has to meet. Immutable.
 *
 * <p>The order is that of the list: the first module is loaded first. {@link #unloadOrder()} is the reverse unless it is
 * given.
 *
 * @since 0.1.0
 */
@Value.Immutable
@ValueStyle
public abstract class LoadPlan {

    LoadPlan() {}

    /** The loader. */
    @Value.Default
    public LoadExecutor executor() {
        return LoadExecutor.DRIVER_DAEMON_SET;
    }

    /**
     * Modules in the order in which they are loaded. When the host provides the driver: those that have to be there, with their
     * parameters; none if nothing is to be checked.
     */
    public abstract List<KernelModule> modules();

    /** Names of the modules in the order in which they are unloaded; reversed load order unless given. */
    @Value.Default
    public List<String> unloadOrder() {
        List<String> names = new ArrayList<>(names());
        Collections.reverse(names);
        return List.copyOf(names);
    }

    /** Directory in the image that stands for {@code /} in {@code modprobe -d}: it contains {@code lib/modules}. */
    @Value.Default
    public String directory() {
        return "/opt";
    }

    /** Modules of the kernel's own tree that are unloaded first, because they drive the same device. */
    public abstract List<String> inTreeToRemove();

    /** Modules of the kernel's own tree that are loaded first, because symbols of theirs are needed. */
    public abstract List<String> inTreeToLoad();

    /** Modules that shall not be loaded at boot. */
    public abstract List<String> blacklist();

    /** Order that no symbol tells. */
    public abstract List<SoftDependency> softDependencies();

    /** Directory in the image with firmware, copied to {@link #firmwareTarget()} before loading. */
    public abstract Optional<String> firmwareSource();

    /** Directory on the host that the kernel searches for firmware; its parameter {@code firmware_class.path}. */
    @Value.Default
    public String firmwareTarget() {
        return "/var/lib/firmware";
    }

    /** Files to place on the host before loading. */
    public abstract List<HostFile> hostFiles();

    /**
     * Arguments that the kernel has to be booted with, {@code name} or {@code name=value}, for example
     * {@code intel_iommu=on}. SRO never edits a boot loader; it can only refuse nodes without them.
     */
    public abstract List<String> kernelArguments();

    /**
     * A file on the node that is there while the modules are loaded and checked, for pods that wait on the node itself ({@link
     * dev.sro.api.Reach.ByOwnBarrier}). It is left after the last module, and taken away before the first one is unloaded or loaded anew,
     * and while a check of the modules fails. Not with {@link LoadExecutor#HOST_PROVIDED}, {@link LoadExecutor#OWN_STATES} and {@link
     * LoadExecutor#KMM_MODULE}, which have nobody on the node to do that.
     */
    public abstract Optional<NodeBarrier> barrier();

    private List<String> names() {
        return modules().stream().map(KernelModule::name).toList();
    }

    @Value.Check
    void check() {
        Checks.require(
                !modules().isEmpty() || executor() == LoadExecutor.HOST_PROVIDED,
                "LoadPlan.modules",
                "name at least one module, or choose executor HOST_PROVIDED");
        Checks.require(
                executor() == LoadExecutor.HOST_PROVIDED
                        || modules().stream()
                                .noneMatch(module -> module.version().isPresent()),
                "LoadPlan.modules",
                "a version is checked only where the host provides the driver; remove it");
        Checks.require(
                barrier().isEmpty()
                        || executor() == LoadExecutor.DRIVER_DAEMON_SET
                        || executor() == LoadExecutor.WORKER_POD,
                "LoadPlan.barrier",
                "nobody leaves it with executor " + executor() + "; choose DRIVER_DAEMON_SET or WORKER_POD");
        Checks.noDuplicates("LoadPlan.modules", names());
        Checks.require(
                unloadOrder().size() == names().size() && unloadOrder().containsAll(names()),
                "LoadPlan.unloadOrder",
                unloadOrder() + " must have every module of " + names() + " once");
        inTreeToRemove().forEach(name -> {
            Checks.moduleName("LoadPlan.inTreeToRemove", name);
            Checks.require(
                    !inTreeToLoad().contains(name),
                    "LoadPlan.inTreeToRemove",
                    "\"" + name + "\" cannot be removed and loaded first");
        });
        inTreeToLoad().forEach(name -> Checks.moduleName("LoadPlan.inTreeToLoad", name));
        blacklist().forEach(name -> Checks.moduleName("LoadPlan.blacklist", name));
        Checks.absolutePath("LoadPlan.directory", directory());
        firmwareSource().ifPresent(path -> Checks.absolutePath("LoadPlan.firmwareSource", path));
        Checks.absolutePath("LoadPlan.firmwareTarget", firmwareTarget());
        Checks.noDuplicates(
                "LoadPlan.hostFiles", hostFiles().stream().map(HostFile::target).toList());
        kernelArguments()
                .forEach(argument -> Checks.require(
                        argument.matches("[A-Za-z0-9_.-]+(=\\S+)?"),
                        "LoadPlan.kernelArguments",
                        "\"" + argument + "\" must be name or name=value without white space"));
    }

    /** These modules, loaded by a DaemonSet. */
    public static LoadPlan of(KernelModule... modules) {
        return builder().addModules(modules).build();
    }

    /** Nothing to load: the operating system brings the driver, and it is checked that these modules are there. */
    public static LoadPlan hostProvided(KernelModule... modules) {
        return builder()
                .executor(LoadExecutor.HOST_PROVIDED)
                .addModules(modules)
                .build();
    }

    /** Nothing to load: the operating system brings the driver. */
    public static LoadPlan hostProvided() {
        return builder().executor(LoadExecutor.HOST_PROVIDED).build();
    }

    /** A new builder. */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds {@link LoadPlan}. Not thread-safe. */
    public static final class Builder extends ImmutableLoadPlan.Builder {
        Builder() {}
    }
}
