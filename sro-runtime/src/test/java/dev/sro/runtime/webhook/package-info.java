/** Tests of the admission webhooks: recorded reviews, and real HTTPS with certificates that change. */
@NullMarked
package dev.sro.runtime.webhook;

import org.jspecify.annotations.NullMarked;
