package dev.sro.core.recipe.generated;

import dev.sro.core.recipe.generated.Blueprint.Era;
import dev.sro.core.recipe.generated.Word.Var;
import java.util.List;
import java.util.Map;

/** What templates of each time could ask for. Stateless. */
final class KnownVariables {

    private static final Map<Era, List<Var>> KNOWN = Map.of(
            Era.FOLDERS,
            List.of(),
            Era.EARLY_2019,
            List.of(),
            Era.OF_2020,
            List.of(
                    Var.KERNEL,
                    Var.OS_MAJOR,
                    Var.OS_MINOR,
                    Var.HARDWARE,
                    Var.NODE_FEATURE,
                    Var.NAMESPACE,
                    Var.GROUP_DRIVER,
                    Var.GROUP_PLUGIN,
                    Var.GROUP_BUILD,
                    Var.GROUP_RUNTIME,
                    Var.GROUP_MONITORING,
                    Var.GROUP_FEATURES,
                    Var.STATE_RUNTIME,
                    Var.STATE_PLUGIN,
                    Var.STATE_MONITORING,
                    Var.CLUSTER_VERSION,
                    Var.UPDATE_VENDOR,
                    Var.STATE_DRIVER),
            Era.OF_2021,
            List.of(
                    Var.KERNEL,
                    Var.PATCH,
                    Var.OS_MAJOR,
                    Var.OS_MINOR,
                    Var.OS_DECIMAL,
                    Var.RESOURCE,
                    Var.NAMESPACE,
                    Var.HARDWARE,
                    Var.GROUP_DRIVER,
                    Var.GROUP_PLUGIN,
                    Var.STATE_DRIVER,
                    Var.GIT_REF,
                    Var.CLUSTER_VERSION,
                    Var.CLUSTER_MINOR,
                    Var.PUSH_SECRET,
                    Var.OS_IMAGE,
                    Var.UPDATE_VENDOR,
                    Var.HTTP_PROXY,
                    Var.NO_PROXY,
                    Var.TRUSTED_CA,
                    Var.STATE_RUNTIME,
                    Var.HOST_PATH,
                    Var.CONFIGURED));

    private KnownVariables() {}

    static List<Var> of(Era era) {
        return KNOWN.getOrDefault(era, List.of());
    }
}
