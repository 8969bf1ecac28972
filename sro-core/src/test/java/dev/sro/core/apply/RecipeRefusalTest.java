package dev.sro.core.apply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.model.RecipeAccount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecipeRefusalTest {
    private static final RecipeAccount ACCOUNT = new RecipeAccount("kmod", "sro-recipe");
    private static final String FIX = "sro rbac --for special-resource.yaml --apply";

    private static WriteException refused(WriteException.Kind kind, String message) {
        return RecipeRefusal.explain(ACCOUNT, new WriteException(kind, message));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        patch resource "daemonsets" in API group "apps" in the namespace "kmod" | may not patch daemonsets.apps in namespace kmod;
        create resource "configmaps" in API group "" in the namespace "other"   | may not create configmaps in namespace other;
        get resource "nodes" in API group "" at the cluster scope               | may not get nodes at the cluster scope;
        """)
    void namesAccountVerbResourceAndNamespace(String denied, String said) {
        WriteException e = refused(
                WriteException.Kind.FORBIDDEN,
                "x is forbidden: User \"system:serviceaccount:kmod:sro-recipe\" cannot " + denied);

        assertThat(e.kind()).isEqualTo(WriteException.Kind.FORBIDDEN_TO_RECIPE);
        assertThat(e)
                .hasMessageStartingWith("ServiceAccount kmod/sro-recipe " + said)
                .hasMessageContaining(FIX);
    }

    @Test
    void saysWhenSroMayNotActAsTheAccount() {
        WriteException e = refused(
                WriteException.Kind.FORBIDDEN,
                "serviceaccounts \"sro-recipe\" is forbidden: User \"system:serviceaccount:sro:sro\" cannot impersonate"
                        + " resource \"serviceaccounts\" in API group \"\" in the namespace \"kmod\"");

        assertThat(e.kind()).isEqualTo(WriteException.Kind.FORBIDDEN_TO_RECIPE);
        assertThat(e).hasMessageStartingWith("SRO may not act as ServiceAccount kmod/sro-recipe; grant it: " + FIX);
    }

    @Test
    void saysWhenARoleWouldGiveMoreThanTheAccountHas() {
        WriteException e = refused(
                WriteException.Kind.FORBIDDEN,
                "roles \"x\" is forbidden: user \"system:serviceaccount:kmod:sro-recipe\" (groups=[]) is attempting to"
                        + " grant RBAC permissions not currently held:\n{}");

        assertThat(e).hasMessageStartingWith("ServiceAccount kmod/sro-recipe may not grant what it has not itself;");
    }

    @Test
    void leavesOtherRefusalsAsTheyAre() {
        assertThat(refused(WriteException.Kind.FORBIDDEN, "exceeded quota: pods")
                        .kind())
                .isEqualTo(WriteException.Kind.FORBIDDEN);
        assertThat(refused(WriteException.Kind.CONFLICT, "cannot patch resource \"a\" in API group \"\"")
                        .kind())
                .isEqualTo(WriteException.Kind.CONFLICT);
    }
}
