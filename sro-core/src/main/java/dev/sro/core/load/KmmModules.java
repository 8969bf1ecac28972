package dev.sro.core.load;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.SoftDependency;
import dev.sro.core.driver.PoolDriver;
import dev.sro.core.manifest.RenderException;
import dev.sro.core.model.Fnv1a64;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes a {@code Module} of Kernel Module Management that means the same as a plan, for one pool. What it cannot say is a problem, not
 * left out. Stateless.
 */
final class KmmModules {

    static final String API_VERSION = "kmm.sigs.x-k8s.io/v1beta1";

    /** Of name and namespace together: KMM's webhook counts them, because they end in one label. It allows one more. */
    private static final int MAX_NAMES = 40;

    /** A dash and 64 bits in hexadecimal. */
    private static final int HASH = 17;

    private static final String DEFAULT_FIRMWARE = "/var/lib/firmware";

    private KmmModules() {}

    /**
     * The Module.
     *
     * @throws RenderException if the plan says something that a Module cannot
     */
    static KubeObject render(RecipeContext context, String namespace, Pool pool, LoadPlan plan, PoolDriver driver) {
        check(plan, driver);
        List<KernelModule> modules = plan.modules();
        KernelModule top = modules.get(modules.size() - 1);
        Map<String, Object> container = new LinkedHashMap<>();
        container.put("modprobe", modprobe(plan, top));
        Map<String, Object> mapping = new LinkedHashMap<>();
        mapping.put("literal", kernel(pool));
        mapping.put("containerImage", image(driver));
        if (!plan.inTreeToRemove().isEmpty()) {
            mapping.put("inTreeModulesToRemove", plan.inTreeToRemove());
        }
        container.put("kernelMappings", List.of(mapping));
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("moduleLoader", Map.of("container", container));
        Map<String, Object> selector = new LinkedHashMap<>(context.spec().getNodeSelector());
        selector.put(MetadataKeys.poolLabel(context.name()), pool.name());
        selector.putAll(top.onlyOnNodesWith());
        spec.put("selector", selector);
        if (!driver.pullSecrets().isEmpty()) {
            spec.put("imageRepoSecret", Map.of("name", driver.pullSecrets().get(0)));
        }
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", API_VERSION);
        tree.put("kind", "Module");
        Map<String, Object> annotations = new LinkedHashMap<>();
        annotations.put(MetadataKeys.POOL, pool.name());
        if (!top.onlyOnNodesWith().isEmpty()) {
            annotations.put(
                    MetadataKeys.LOAD_WHEN, new NodeCondition(List.of(top.onlyOnNodesWith()), List.of()).text());
        }
        tree.put("metadata", OrderedMaps.map("name", name(context, namespace, pool), "annotations", annotations));
        tree.put("spec", spec);
        return KubeObject.of(tree);
    }

    /** KMM takes a plus sign off the end of a node's kernel before it compares. */
    private static String kernel(Pool pool) {
        String raw = pool.kernel().raw();
        return raw.endsWith("+") ? raw.substring(0, raw.length() - 1) : raw;
    }

    private static String name(RecipeContext context, String namespace, Pool pool) {
        int left = MAX_NAMES - namespace.length() - HASH;
        if (left < 1) {
            throw RenderException.vendor(
                    "NameTooLong",
                    "Module: the namespace \"" + namespace + "\" has " + namespace.length() + " characters, KMM allows "
                            + MAX_NAMES + " for name and namespace, of which the name needs " + (HASH + 1)
                            + "; set a shorter spec.namespace");
        }
        String name = context.name();
        return name.length() <= left
                ? name + "-" + pool.affinityHash()
                : name.substring(0, left) + "-" + Fnv1a64.hex(name + "/" + pool.affinityHash());
    }

    private static String image(PoolDriver driver) {
        String image = driver.choice().image().orElseThrow();
        if (!image.substring(image.lastIndexOf('/') + 1).contains(":") && !image.contains("@")) {
            throw RenderException.vendor(
                    "LoadPlanNotPossible", "image " + image + ": KMM wants a tag or a digest; add one");
        }
        return image;
    }

    private static Map<String, Object> modprobe(LoadPlan plan, KernelModule top) {
        Map<String, Object> modprobe = new LinkedHashMap<>();
        if (top.rawLoadArguments().isEmpty()) {
            modprobe.put("moduleName", top.name());
        } else {
            modprobe.put("rawArgs", arguments(top.rawLoadArguments(), top.rawUnloadArguments()));
        }
        modprobe.put("dirName", plan.directory());
        if (!top.parameters().isEmpty()) {
            modprobe.put("parameters", top.parameters());
        }
        if (!top.loadArguments().isEmpty() || !top.unloadArguments().isEmpty()) {
            modprobe.put("args", arguments(top.loadArguments(), top.unloadArguments()));
        }
        plan.firmwareSource().ifPresent(path -> modprobe.put("firmwarePath", path));
        if (plan.modules().size() > 1) {
            // KMM loads the last of its list first.
            List<String> order = new ArrayList<>(
                    plan.modules().stream().map(KernelModule::name).toList());
            Collections.reverse(order);
            modprobe.put("modulesLoadingOrder", order);
        }
        return modprobe;
    }

    private static Map<String, Object> arguments(List<String> load, List<String> unload) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        if (!load.isEmpty()) {
            arguments.put("load", load);
        }
        if (!unload.isEmpty()) {
            arguments.put("unload", unload);
        }
        return arguments;
    }

    private static void check(LoadPlan plan, PoolDriver driver) {
        refuse(!plan.hostFiles().isEmpty(), "hostFiles", "files on the host");
        refuse(!plan.blacklist().isEmpty(), "blacklist", "a blacklist");
        refuse(!plan.kernelArguments().isEmpty(), "kernelArguments", "arguments of the kernel");
        refuse(!plan.inTreeToLoad().isEmpty(), "inTreeToLoad", "modules of the kernel's own tree that come first");
        refuse(
                plan.firmwareSource().isPresent() && !plan.firmwareTarget().equals(DEFAULT_FIRMWARE),
                "firmwareTarget",
                "where firmware goes (that is a setting of the KMM operator)");
        refuse(driver.pullSecrets().size() > 1, "imageRepoSecret", "more than one pull secret");
        List<String> names = plan.modules().stream().map(KernelModule::name).toList();
        List<String> reversed = new ArrayList<>(names);
        Collections.reverse(reversed);
        refuse(!plan.unloadOrder().equals(reversed), "unloadOrder", "an order to unload of its own");
        plan.softDependencies()
                .forEach(rule -> refuse(
                        !isInOrder(rule, names), "softDependencies", "other soft dependencies than the loading order"));
        KernelModule top = plan.modules().get(plan.modules().size() - 1);
        for (KernelModule module : plan.modules()) {
            refuse(module.inTree(), "modules", "modules of the kernel's own tree");
            refuse(
                    !module.onlyOnNodesWith().equals(top.onlyOnNodesWith()),
                    "modules",
                    "different nodes for single modules (onlyOnNodesWith)");
            boolean plain = module.parameters().isEmpty()
                    && module.loadArguments().isEmpty()
                    && module.unloadArguments().isEmpty();
            refuse(
                    !plain && module != top,
                    "modules",
                    "parameters or arguments of a module (" + module.name() + ") but the last one");
            refuse(
                    !module.rawLoadArguments().isEmpty() && names.size() > 1,
                    "modules",
                    "raw arguments together with other modules");
        }
    }

    private static boolean isInOrder(SoftDependency rule, List<String> names) {
        int at = names.indexOf(rule.module());
        return at >= 0
                && rule.before().stream().allMatch(name -> names.indexOf(name) >= 0 && names.indexOf(name) < at)
                && rule.after().stream().allMatch(name -> names.indexOf(name) > at);
    }

    private static void refuse(boolean said, String field, String what) {
        if (said) {
            throw RenderException.vendor(
                    "LoadPlanNotPossible",
                    "LoadPlan." + field + ": a Module of KMM cannot say " + what
                            + "; leave it out, or choose executor WORKER_POD or DRIVER_DAEMON_SET");
        }
    }
}
