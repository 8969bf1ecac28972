package dev.sro.runtime;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rooms of the planner are given what they need of the input and of the draft, by interfaces of their own, and nothing else: what
 * changes for one of them concerns no other.
 */
class PlanRoomsTest {

    private static final String PLAN = "dev.sro.core.plan.";
    private static final String PLANNER = PLAN + "planner";

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(location -> !location.contains("/test-classes/"))
            .importPackages("dev.sro.core.plan");

    /** What the whole input or draft offers to one room. */
    private static final List<JavaClass> FACETS = CLASSES.stream()
            .filter(JavaClass::isInterface)
            .filter(type -> type.getSimpleName().endsWith("Input")
                    || type.getSimpleName().endsWith("Draft"))
            .filter(type -> type.getPackageName().startsWith(PLAN))
            .toList();

    @Test
    void theWholeInputAndTheWholeDraftAreSeenByThePlannerAlone() {
        noClasses()
                .that()
                .resideInAPackage("dev.sro.core.plan..")
                .and()
                .resideOutsideOfPackage(PLANNER)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(PLANNER)
                .check(CLASSES);
        assertThat(CLASSES.get(PLANNER + ".PlanInput").getAllRawInterfaces())
                .containsAll(FACETS.stream()
                        .filter(type -> type.getSimpleName().endsWith("Input"))
                        .toList());
    }

    @Test
    void aRoomIsGivenNothingThatItDoesNotUse() {
        assertThat(FACETS).hasSizeGreaterThanOrEqualTo(10);
        assertThat(FACETS.stream()
                        .flatMap(type -> type.getMethods().stream())
                        .filter(PlanRoomsTest::isUnusedInItsRoom)
                        .map(JavaMethod::getFullName))
                .isEmpty();
    }

    private static boolean isUnusedInItsRoom(JavaMethod method) {
        return method.getAccessesToSelf().stream()
                .noneMatch(access -> access.getOriginOwner()
                        .getPackageName()
                        .equals(method.getOwner().getPackageName()));
    }

    @Test
    void aRoomIsGivenLessThanHalfOfTheInput() {
        long all = CLASSES.get(PLANNER + ".PlanInput").getMethods().stream()
                .filter(method -> method.getRawParameterTypes().isEmpty())
                .count();
        assertThat(FACETS.stream()
                        .filter(type -> type.getMethods().size() * 2L > all)
                        .map(JavaClass::getName))
                .isEmpty();
    }
}
