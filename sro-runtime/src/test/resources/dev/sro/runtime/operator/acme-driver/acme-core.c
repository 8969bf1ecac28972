// SPDX-License-Identifier: GPL-2.0
// What acme needs from another module.
#include <linux/export.h>
#include <linux/module.h>

MODULE_DESCRIPTION("What acme needs from another module");
MODULE_VERSION(ACME_VERSION);
MODULE_LICENSE("GPL");

const char *acme_version(void);

const char *acme_version(void)
{
	return ACME_VERSION;
}
EXPORT_SYMBOL_GPL(acme_version);
