package dev.sro.runtime.plan;

import dev.sro.core.manifest.AccountManifests;
import dev.sro.core.model.Code;
import dev.sro.core.model.ObjectRef;
import dev.sro.runtime.plan.PlanReport.Step;
import dev.sro.runtime.plan.access.AccessReport;
import dev.sro.runtime.plan.access.AccessReport.Unchecked;
import dev.sro.runtime.plan.access.Lack;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What the account of a recipe may not write, or what was not checked, for a person. Confined to one thread. */
final class AccessText {

    private final PlanReport report;
    private final String fix;
    private final PrintWriter out;

    AccessText(PlanReport report, String fix, PrintWriter out) {
        this.report = report;
        this.fix = fix;
        this.out = out;
    }

    /** Under the object that is refused. */
    static String refusal(Lack lack) {
        return Code.FORBIDDEN_TO_RECIPE.text() + ": " + lack.text();
    }

    /** Behind all steps. */
    void print() {
        AccessReport access = report.access();
        if (!access.refused().isEmpty()) {
            out.println();
            hooks(access);
            int count = access.refused().size();
            out.println("Refused: " + count + (count == 1 ? " object" : " objects")
                    + ", as the account of the recipe lacks rights. If the recipe shall have them"
                    + once() + ": " + fix);
        }
        access.unchecked().forEach(this::unchecked);
    }

    /** Roles are in the namespace of the operands, which SRO makes first. */
    private String once() {
        return report.comesToBe()
                .map(namespace -> ", once namespace " + namespace + " is there")
                .orElse("");
    }

    /** They have no step to be printed under. */
    private void hooks(AccessReport access) {
        Set<ObjectRef> shown = report.steps().stream().map(Step::object).collect(Collectors.toSet());
        access.refused().forEach((object, lacks) -> {
            if (!shown.contains(object)) {
                out.println("Hook " + object);
                lacks.forEach(lack -> out.println("  ! " + refusal(lack)));
            }
        });
    }

    private void unchecked(Unchecked unchecked) {
        out.println();
        out.println("Not checked whether " + unchecked.account() + " may write this: " + unchecked.why() + ".");
        String beyond = unchecked.bound()
                ? "beyond ClusterRole " + AccountManifests.ROLE + ", which SRO binds to it in namespace "
                        + unchecked.account().namespace()
                : "";
        List<Lack> needs = unchecked.needs();
        if (needs.isEmpty()) {
            out.println("It needs nothing " + beyond + ".");
            return;
        }
        out.println("It needs" + (beyond.isEmpty() ? "" : ", " + beyond) + ":");
        needs.forEach(need ->
                out.println("  " + need.right() + (need.granted() ? ", as a role of the recipe gives that on" : "")));
        out.println("To grant that, where the cluster does not yet" + once() + ": " + fix);
    }
}
