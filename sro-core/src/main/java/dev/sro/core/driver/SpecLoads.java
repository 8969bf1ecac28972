package dev.sro.core.driver;

import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.Modprobe;
import dev.sro.api.resource.ModprobeArguments;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@code spec.driver.modprobe} has loaded. Stateless. */
final class SpecLoads {

    private SpecLoads() {}

    /** What is loaded; empty where the recipe does that by itself. */
    static Optional<LoadPlan> create(DriverSpec driver, List<String> inTreeModulesToRemove) {
        Modprobe modprobe = driver.getModprobe();
        LoadExecutor executor = executor(driver.getLoader());
        if (executor == LoadExecutor.HOST_PROVIDED) {
            return Optional.of(LoadPlan.hostProvided());
        }
        if (modprobe == null) {
            if (!driver.getLoader().isEmpty() && executor != LoadExecutor.OWN_STATES) {
                throw DriverException.invalid(
                        "spec.driver.modprobe", "missing; loader " + driver.getLoader() + " has nothing to load");
            }
            return Optional.empty();
        }
        LoadPlan.Builder plan = LoadPlan.builder();
        plan.executor(executor)
                .addAllModules(modules(modprobe))
                .directory(DriverChecks.directory(driver))
                .addAllInTreeToRemove(inTreeModulesToRemove);
        if (!modprobe.getFirmwarePath().isEmpty()) {
            plan.firmwareSource(modprobe.getFirmwarePath());
        }
        return Optional.of(plan.build());
    }

    private static LoadExecutor executor(String name) {
        return switch (name) {
            case "", "DriverDaemonSet" -> LoadExecutor.DRIVER_DAEMON_SET;
            case "WorkerPod" -> LoadExecutor.WORKER_POD;
            case "KmmModule" -> LoadExecutor.KMM_MODULE;
            case "HostProvided" -> LoadExecutor.HOST_PROVIDED;
            case "OwnStates" -> LoadExecutor.OWN_STATES;
            default ->
                throw DriverException.invalid(
                        "spec.driver.loader",
                        "\"" + name + "\" is none of DriverDaemonSet, WorkerPod, KmmModule, HostProvided and OwnStates;"
                                + " write one of them");
        };
    }

    /** The order of the list is that of the top module down; what it stands on is loaded first. */
    private static List<KernelModule> modules(Modprobe modprobe) {
        ModprobeArguments raw = arguments(modprobe.getRawArgs());
        if (modprobe.getModuleName().isEmpty()) {
            KernelModule.Builder module = KernelModule.builder();
            module.name(named(raw)).addAllRawLoadArguments(raw.getLoad()).addAllRawUnloadArguments(raw.getUnload());
            return List.of(module.build());
        }
        ModprobeArguments arguments = arguments(modprobe.getArgs());
        KernelModule.Builder top = KernelModule.builder();
        top.name(modprobe.getModuleName())
                .addAllParameters(modprobe.getParameters())
                .addAllLoadArguments(arguments.getLoad())
                .addAllUnloadArguments(arguments.getUnload());
        List<KernelModule> modules = new ArrayList<>();
        modules.add(top.build());
        modprobe.getModulesLoadingOrder().stream().skip(1).forEach(name -> modules.add(0, KernelModule.of(name)));
        return modules;
    }

    private static ModprobeArguments arguments(@Nullable ModprobeArguments given) {
        return Objects.requireNonNullElseGet(given, ModprobeArguments::new);
    }

    /** The module that raw arguments are about: what they end with when they unload. */
    private static String named(ModprobeArguments raw) {
        List<String> words = raw.getUnload();
        String last = words.isEmpty() ? "" : words.get(words.size() - 1);
        if (last.isEmpty() || last.startsWith("-")) {
            throw DriverException.invalid(
                    "spec.driver.modprobe.rawArgs.unload",
                    words + " does not end with the name of a module; put it there");
        }
        return last;
    }
}
