package dev.sro.core.load;

import dev.sro.api.NodeBarrier;
import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadExecutor;
import dev.sro.api.driver.LoadPlan;
import dev.sro.api.driver.SoftDependency;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A shell script that does what a {@link LoadPlan} says, in its order. Immutable; equal plans give equal scripts.
 *
 * <p>It is called with one task: {@code load}, {@code unload}, {@code check} (are the modules there, with their parameters),
 * {@code run} (loads, then stays until it is stopped), {@code ready} (run has loaded, and check), {@code watch} (only stays). All
 * tasks may be repeated at any time. A task that fails ends with exit code 1 and says why in its last line.
 *
 * <p>The environment may say {@code SRO_BOOT}: the boot id without which load and unload refuse to do anything. Directories of the
 * host are expected under {@code /host}.
 */
public final class LoadScript {

    private static final String LIBRARY = resource("load.sh");

    /** Apart, so that scripts of plans without one are what they were: another script is another driver. */
    private static final String BARRIER = resource("barrier.sh");

    private final String name;
    private final LoadPlan plan;
    private final List<KernelModule> modules;

    private LoadScript(String name, LoadPlan plan, List<KernelModule> modules) {
        this.name = name;
        this.plan = plan;
        this.modules = List.copyOf(modules);
    }

    /**
     * The script.
     *
     * @param name of the special resource: files of modprobe.d are named after it
     * @param plan what is to be done
     * @param modules those of the plan's modules that are for the node, in its order
     */
    public static String write(String name, LoadPlan plan, List<KernelModule> modules) {
        return new LoadScript(name, plan, modules).text();
    }

    private static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(LoadScript.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String text() {
        return "set -u\nSRO_DIRECTORY=" + ShellWords.quote(plan.directory()) + "\n" + LIBRARY
                + function("load_all", load()) + function("unload_all", unload()) + function("check_all", check())
                + plan.barrier().map(LoadScript::guarded).orElse("main \"$1\"\n");
    }

    private static String guarded(NodeBarrier barrier) {
        return "\nSRO_BARRIER=" + ShellWords.quote(barrier.path()) + "\nSRO_SAYS=" + ShellWords.quote(barrier.says())
                + "\n" + BARRIER + "\nguarded \"$1\"\n";
    }

    private static String function(String name, List<String> lines) {
        StringBuilder text = new StringBuilder("\n").append(name).append("() {\n");
        (lines.isEmpty() ? List.of(":") : lines)
                .forEach(line -> text.append("    ").append(line).append('\n'));
        return text.append("}\n").toString();
    }

    private List<String> load() {
        List<String> lines = new ArrayList<>();
        plan.kernelArguments().forEach(argument -> lines.add("require_argument " + ShellWords.quote(argument)));
        if (modules.stream().anyMatch(LoadScript::isOfTheImage)) {
            lines.add("need_tree");
        }
        plan.hostFiles().forEach(file -> lines.add("place " + paths(file.source(), file.target())));
        plan.firmwareSource().ifPresent(source -> {
            lines.add("place " + paths(source, plan.firmwareTarget()));
            lines.add("firmware_path " + ShellWords.quote(plan.firmwareTarget()));
        });
        if (!plan.blacklist().isEmpty()) {
            List<String> rules = plan.blacklist().stream()
                    .map(module -> "blacklist " + module)
                    .toList();
            lines.add("write_file " + blacklistFile() + " " + ShellWords.quote(rules));
        }
        for (String module : plan.inTreeToRemove()) {
            boolean own = modules.stream().anyMatch(one -> spelled(one.name()).equals(spelled(module)));
            lines.add("remove_in_tree " + ShellWords.quote(module) + (own ? " own" : ""));
        }
        plan.inTreeToLoad().forEach(module -> lines.add("load_in_tree " + ShellWords.quote(module)));
        if (!plan.softDependencies().isEmpty()) {
            List<String> rules =
                    plan.softDependencies().stream().map(LoadScript::rule).toList();
            lines.add("write_file \"$SRO_ETC/modprobe.d/\"" + ShellWords.quote(fileName()) + " "
                    + ShellWords.quote(rules));
        }
        modules.forEach(module -> lines.add("load_module " + ShellWords.quote(module.name()) + parameters(module)
                + " -- " + String.join(" ", loadCommand(module))));
        return lines;
    }

    private List<String> unload() {
        List<String> lines = new ArrayList<>();
        Map<String, KernelModule> byName = new LinkedHashMap<>();
        modules.forEach(module -> byName.put(module.name(), module));
        if (modules.stream()
                .anyMatch(module ->
                        !module.inTree() && module.rawUnloadArguments().isEmpty())) {
            lines.add("index_tree");
        }
        plan.unloadOrder().stream()
                .map(byName::get)
                .filter(Objects::nonNull)
                .forEach(module -> lines.add("unload_module " + ShellWords.quote(module.name()) + " -- "
                        + String.join(" ", unloadCommand(module))));
        plan.firmwareSource().ifPresent(source -> lines.add("take_away " + paths(source, plan.firmwareTarget())));
        List<HostFile> files = new ArrayList<>(plan.hostFiles());
        for (int i = files.size() - 1; i >= 0; i--) {
            HostFile file = files.get(i);
            if (file.removeOnUnload()) {
                lines.add("take_away " + paths(file.source(), file.target()));
            }
        }
        if (!plan.blacklist().isEmpty()) {
            lines.add("rm -f " + blacklistFile());
        }
        return lines;
    }

    private List<String> check() {
        boolean host = plan.executor() == LoadExecutor.HOST_PROVIDED;
        List<String> lines = new ArrayList<>();
        if (host) {
            plan.kernelArguments().forEach(argument -> lines.add("require_argument " + ShellWords.quote(argument)));
        }
        for (KernelModule module : modules) {
            if (host) {
                lines.add("expect_module " + ShellWords.quote(module.name()) + " "
                        + ShellWords.quote(module.version().orElse("")));
            }
            lines.add("verify " + ShellWords.quote(module.name()) + parameters(module) + " -- || fail \"$why\"");
        }
        return lines;
    }

    /** Of one with raw arguments it is not known where they lead. */
    private static boolean isOfTheImage(KernelModule module) {
        return !module.inTree() && module.rawLoadArguments().isEmpty();
    }

    /** Shell words. */
    private List<String> loadCommand(KernelModule module) {
        List<String> words = new ArrayList<>(List.of("modprobe"));
        if (!module.rawLoadArguments().isEmpty()) {
            return quoted(words, module.rawLoadArguments());
        }
        words.addAll(List.of("-v", "-d", root(module)));
        quoted(words, module.loadArguments());
        quoted(words, List.of(module.name()));
        return quoted(words, module.parameters());
    }

    private List<String> unloadCommand(KernelModule module) {
        List<String> words = new ArrayList<>(List.of("modprobe"));
        if (!module.rawUnloadArguments().isEmpty()) {
            return quoted(words, module.rawUnloadArguments());
        }
        words.addAll(List.of("-r", "-v", "-d", root(module)));
        quoted(words, module.unloadArguments());
        return quoted(words, List.of(module.name()));
    }

    private static List<String> quoted(List<String> words, List<String> more) {
        more.forEach(word -> words.add(ShellWords.quote(word)));
        return words;
    }

    private String root(KernelModule module) {
        return module.inTree() ? "\"$SRO_HOST\"" : "\"$SRO_DIRECTORY\"";
    }

    private static String parameters(KernelModule module) {
        return module.parameters().isEmpty() ? "" : " " + ShellWords.quote(module.parameters());
    }

    private static String paths(String source, String target) {
        return ShellWords.quote(source) + " \"$SRO_HOST\"" + ShellWords.quote(target);
    }

    private String fileName() {
        return "sro-" + name + ".conf";
    }

    private String blacklistFile() {
        return "\"$SRO_HOST\"" + ShellWords.quote("/etc/modprobe.d/" + fileName());
    }

    private static String rule(SoftDependency dependency) {
        StringBuilder rule = new StringBuilder("softdep ").append(dependency.module());
        if (!dependency.before().isEmpty()) {
            rule.append(" pre: ").append(String.join(" ", dependency.before()));
        }
        if (!dependency.after().isEmpty()) {
            rule.append(" post: ").append(String.join(" ", dependency.after()));
        }
        return rule.toString();
    }

    private static String spelled(String module) {
        return module.replace('-', '_');
    }
}
