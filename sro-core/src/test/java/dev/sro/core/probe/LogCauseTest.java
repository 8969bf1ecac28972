package dev.sro.core.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.probe.LogCause.Fault;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LogCauseTest {

    static Stream<Arguments> logs() {
        return Stream.of(
                Arguments.of(
                        """
                        #14 3.114   CC [M]  /src/simple-kmod.o
                        #14 3.611 /src/simple-kmod.c:17:9: error: implicit declaration of function 'prink' [-Werror]
                        #14 3.612 make[3]: *** [scripts/Makefile.build:243: /src/simple-kmod.o] Error 1
                        #14 3.620 make: *** [Makefile:21: all] Error 2
                        #14 ERROR: process "/bin/sh -c make all" did not complete successfully: exit code: 2
                        ------
                         > [builder 4/4] RUN make all:
                        3.611 /src/simple-kmod.c:17:9: error: implicit declaration of function 'prink' [-Werror]
                        ------
                        Dockerfile:16
                        --------------------
                          16 | >>> RUN make all
                        --------------------
                        error: failed to solve: process "/bin/sh -c make all" did not complete successfully: exit code: 2
                        """,
                        "/src/simple-kmod.c:17:9: error: implicit declaration of function 'prink' [-Werror]",
                        Fault.COMPILER),
                Arguments.of(
                        "ERROR: modpost: \"pci_frob\" [/src/gpu.ko] undefined!\nmake[1]: *** [x] Error 1",
                        "ERROR: modpost: \"pci_frob\" [/src/gpu.ko] undefined!",
                        Fault.COMPILER),
                Arguments.of("""
                    make -C /lib/modules//build
                    make: *** /lib/modules//build: No such file or directory.  Stop.
                    """, "make: *** /lib/modules//build: No such file or directory.  Stop.", Fault.COMPILER),
                Arguments.of("""
                    #8 0.9 Err:1 http://deb.debian.org/debian trixie InRelease
                    #8 0.9   Temporary failure resolving 'deb.debian.org'
                    #8 1.0 make: *** [get] Error 100
                    """, "Temporary failure resolving 'deb.debian.org'", Fault.REACH),
                Arguments.of(
                        "#3 ERROR: failed to do request: Head \"https://r/v2/x\": dial tcp: lookup r: no such host\n",
                        "ERROR: failed to do request: Head \"https://r/v2/x\": dial tcp: lookup r: no such host",
                        Fault.REACH),
                Arguments.of(
                        "loading\nmodprobe: FATAL: Module gpu not found\n\n",
                        "modprobe: FATAL: Module gpu not found",
                        Fault.UNKNOWN),
                Arguments.of(
                        "Exception: no card\n\tat com.acme.Main.main(Main.java:3)\n",
                        "Exception: no card",
                        Fault.UNKNOWN),
                Arguments.of(
                        """
                        9.612 git: 'submodule' is not a git command. See 'git --help'.
                        ------
                        error: failed to solve: failed to update submodules for http://10.0.2.2/acme.git: git stderr:
                        git: 'submodule' is not a git command. See 'git --help'.
                        : exit status 1
                        """,
                        "error: failed to solve: failed to update submodules for http://10.0.2.2/acme.git: git stderr:"
                                + " git: 'submodule' is not a git command. See 'git --help'.: exit status 1",
                        Fault.UNKNOWN),
                Arguments.of("no such board\n: exit status 2\n", "no such board: exit status 2", Fault.UNKNOWN),
                Arguments.of(": exit status 2\n", ": exit status 2", Fault.UNKNOWN),
                Arguments.of(" \n---\n", "", Fault.UNKNOWN));
    }

    @ParameterizedTest
    @MethodSource("logs")
    void theLineThatSaysWhyIsFound(String log, String line, Fault fault) {
        assertThat(LogCause.of(log)).isEqualTo(new LogCause(line, fault));
    }

    @Test
    void aLineThatIsTooLongIsCut() {
        assertThat(LogCause.of("x".repeat(5_000)).line()).hasSize(301).endsWith("…");
    }
}
