package dev.sro.api.resource;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class ResourcePackageTest {
    /** The classes outlive changes of client and of Jackson, because they know neither. */
    @Test
    void knowsOnlyTheModelAndAnnotations() {
        classes()
                .that()
                .doNotHaveFullyQualifiedName(SpecialResource.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(PreflightValidation.class.getName())
                .and()
                .doNotHaveFullyQualifiedName(SpecialResourceModule.class.getName())
                .should()
                .onlyDependOnClassesThat(resideInAnyPackage(
                        "java..",
                        "org.jspecify.annotations",
                        "com.fasterxml.jackson.annotation",
                        "io.fabric8.kubernetes.api.model",
                        "io.fabric8.kubernetes.model.annotation",
                        "io.fabric8.generator.annotation",
                        "io.fabric8.crd.generator.annotation",
                        "dev.sro.api.resource"))
                .check(new ClassFileImporter()
                        .withImportOption(location -> !location.contains("/test-classes/"))
                        .importPackages("dev.sro.api.resource"));
    }
}
