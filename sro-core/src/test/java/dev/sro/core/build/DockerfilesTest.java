package dev.sro.core.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DockerfilesTest {

    private static final String MOUNT = " --mount=type=bind,from=sro-secret-s,target=/run/secrets/s";

    private static String mounted(String dockerfile) {
        return Dockerfiles.withSecrets(dockerfile, List.of("s"));
    }

    @Test
    void mountsSecretsInEachRun() {
        assertThat(mounted("FROM a\nrun x\n  RUN --network=none y\nRUN [\"z\"]\n"))
                .isEqualTo(
                        "FROM a\nrun" + MOUNT + " x\n  RUN" + MOUNT + " --network=none y\nRUN" + MOUNT + " [\"z\"]\n");
    }

    @Test
    void leavesLinesAloneThatOnlyLookLikeARun() {
        String text = """
            # RUN comment
            FROM a
            COPY <<EOF /script
            RUN not this
            EOF
            ENV A=1 \\
            # a comment between
              RUN=2
            LABEL x="\\
            RUN y"
            """;
        assertThat(mounted(text)).isEqualTo(text);
    }

    @Test
    void goesOnAfterHeredocsContinuationsAndShifts() {
        String text = """
            RUN <<"EOF" cat
            RUN inside
            EOF
            RUN echo $((1<<2)) && cat <<<word \\
              && RUN_ME
            RUN last\
            """;
        assertThat(mounted(text)).isEqualTo("""
            RUN%1$s <<"EOF" cat
            RUN inside
            EOF
            RUN%1$s echo $((1<<2)) && cat <<<word \\
              && RUN_ME
            RUN%1$s last\
            """.formatted(MOUNT));
    }

    @Test
    void knowsTheOtherEscapeCharacter() {
        String text = "# escape=`\nFROM a\nENV X=1 `\n  RUN=2\nRUN dir c:\\\nRUN y";
        assertThat(mounted(text))
                .isEqualTo("# escape=`\nFROM a\nENV X=1 `\n  RUN=2\nRUN" + MOUNT + " dir c:\\\nRUN" + MOUNT + " y");
    }

    @Test
    void isTheSameWithoutSecrets() {
        assertThat(Dockerfiles.withSecrets("RUN x", List.of())).isEqualTo("RUN x");
    }

    @Test
    void signsFilesAndTheDirectoriesOfPatterns() {
        assertThat(Dockerfiles.signing(Builds.sign()))
                .contains("COPY --from=unsigned /opt/lib/modules/" + Builds.KERNEL + "/acme.ko /sro-signed/opt/")
                .contains("COPY --from=unsigned /opt/lib/modules/ /sro-signed/opt/lib/modules/\n")
                .contains("\"$tool\" sha256 /run/secrets/signing-key/key /run/secrets/signing-cert/cert \"$module\"")
                .endsWith("FROM unsigned\nCOPY --from=signer /sro-signed/ /\n");
    }
}
