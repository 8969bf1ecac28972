package dev.sro.core.recipe.generated;

import java.util.List;

/**
 * A kernel of RHEL CoreOS 8.4 with the suffix that the original gave its objects: published constants, computed nowhere here.
 *
 * @param raw as nodes report it
 * @param suffix of objects for it
 */
record Kernel(String raw, String suffix) {

    static final List<Kernel> ALL = List.of(
            new Kernel("4.18.0-305.45.1.el8_4.x86_64", "b657a71de7fad62f"),
            new Kernel("4.18.0-305.40.2.el8_4.x86_64", "e383247e62b56585"),
            new Kernel("4.18.0-305.10.2.el8_4.x86_64", "12813789169ac0ee"),
            new Kernel("4.18.0-305.19.1.el8_4.x86_64", "bfb16b50984f16f0"),
            new Kernel("4.18.0-305.19.1.rt7.91.el8_4.x86_64", "bc3e2e7be0b5c587"));
}
