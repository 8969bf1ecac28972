package dev.sro.api.driver;

import dev.sro.api.Checks;
import java.util.List;

/**
 * Modules that have to be loaded before or after another one although no symbol says so; {@code softdep} of modprobe.d.
 * Immutable.
 *
 * @param module the module
 * @param before modules to load before it ({@code pre:})
 * @param after modules to load after it ({@code post:})
 * @since 0.1.0
 */
public record SoftDependency(String module, List<String> before, List<String> after) {

    /** Copies and checks. */
    public SoftDependency {
        before = List.copyOf(before);
        after = List.copyOf(after);
        Checks.moduleName("SoftDependency.module", module);
        before.forEach(name -> Checks.moduleName("SoftDependency.before", name));
        after.forEach(name -> Checks.moduleName("SoftDependency.after", name));
        Checks.require(
                !before.contains(module) && !after.contains(module),
                "SoftDependency of " + module,
                "a module cannot depend on itself");
        Checks.require(
                before.stream().noneMatch(after::contains),
                "SoftDependency of " + module,
                "a module cannot come before and after it");
    }
}
