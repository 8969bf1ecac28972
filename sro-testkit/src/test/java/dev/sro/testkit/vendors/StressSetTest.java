package dev.sro.testkit.vendors;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.ManifestHook;
import dev.sro.api.ManifestHooks;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The seven vendors together use every part of the contract, so that no part is there unproved. */
class StressSetTest {

    private static final List<AcceleratorPlugin> VENDORS = List.of(
            new NvidiaPlugin(),
            new AmdPlugin(),
            new MellanoxPlugin(),
            new OnloadPlugin(),
            new IntelPlugin(),
            new HabanaPlugin());

    /** Tested by the engine's own tests. */
    private static final Set<String> ELSEWHERE =
            Set.of(ManifestHook.class.getSimpleName(), ManifestHooks.class.getSimpleName());

    private static Set<String> optionalInterfaces() {
        return new ClassFileImporter()
                .importPackagesOf(AcceleratorPlugin.class).stream()
                        .filter(type -> type.isInterface() && !type.isAnnotation() && type.isTopLevelClass())
                        .filter(type ->
                                type.getModifiers().contains(com.tngtech.archunit.core.domain.JavaModifier.PUBLIC))
                        .filter(type -> !type.reflect().isSealed() && !type.isEquivalentTo(AcceleratorPlugin.class))
                        .map(JavaClass::getSimpleName)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> used() {
        return VENDORS.stream()
                .flatMap(plugin -> List.of(plugin.getClass().getInterfaces()).stream())
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void everyOptionalInterfaceIsUsedByAVendor() {
        Set<String> missing = new TreeSet<>(optionalInterfaces());
        missing.removeAll(used());
        missing.removeAll(ELSEWHERE);

        assertThat(missing).isEmpty();
        assertThat(optionalInterfaces()).hasSizeGreaterThan(15);
    }
}
