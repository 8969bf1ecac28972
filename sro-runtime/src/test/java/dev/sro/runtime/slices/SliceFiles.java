package dev.sro.runtime.slices;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A folder with a fleet for tests of {@code sro slices}. */
abstract class SliceFiles {
    /** Two devices with instances, one of them foreign, and two that are cordoned. */
    static final String FLEET = """
            schema: sro.dev/slicing-fleet/v1
            devices:
            - name: gpu-0
              model: A100-40GB
              node: node-1
              instances:
              - {claim: train, profile: 3g.20gb, start: 4}
              - {claim: notebook, profile: 1g.5gb, start: 1}
            - name: gpu-1
              model: NVIDIA-A100-SXM4-40GB
              node: node-1
              instances:
              - {claim: web, profile: 3g.20gb, start: 0, disruptionCost: 3}
              - {claim: other, profile: 1g.5gb, start: 5, foreign: true}
            - name: spare
              model: "0x20B710DE"
              count: 2
              cordoned: true
            """;

    @TempDir
    Path folder;

    String fleet = "";

    @BeforeEach
    final void writesTheFleet() throws IOException {
        fleet = file("fleet.yaml", FLEET);
    }

    final String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    static JsonNode json(Cli cli) throws IOException {
        return new ObjectMapper().readTree(cli.out());
    }
}
