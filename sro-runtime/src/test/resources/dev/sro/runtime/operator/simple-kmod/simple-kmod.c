// SPDX-License-Identifier: GPL-2.0
// Says that it comes and goes.
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <generated/utsrelease.h>

MODULE_DESCRIPTION("Says that it comes and goes");
MODULE_LICENSE("GPL");

static int __init simple_kmod_init(void)
{
	pr_info("simple-kmod: hello on %s\n", UTS_RELEASE);
	return 0;
}

static void __exit simple_kmod_exit(void)
{
	pr_info("simple-kmod: goodbye\n");
}

module_init(simple_kmod_init);
module_exit(simple_kmod_exit);
